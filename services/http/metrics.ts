import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../../pool-store/store.js';

export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What a service tells Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'route'>;

  constructor({ name, store }: { name: string; store: Store }) {
    const registers = [this.registry];
    this.registry.setDefaultLabels({ service: name });
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: 'tacet_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'tacet_request_seconds',
      help: 'Seconds from a request to the end of its answer',
      labelNames: ['route'],
      buckets: [0.001, 0.01, 0.1, 1, 10, 100],
      registers,
    });
    new Gauge({
      name: 'tacet_log_sequence',
      help: 'Sequence number of the newest entry of the change log',
      registers,
      collect() {
        this.set(store.log.head().sequence);
      },
    });
  }

  observe({ method, route, status, seconds }: Observation): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ route }, seconds);
  }
}
