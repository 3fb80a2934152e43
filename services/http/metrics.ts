import { totalmem } from 'node:os';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ERRORS } from '../../proto/errors.js';

export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** The stable code, where it was answered with a problem. */
  readonly code?: string | undefined;
}

/** What every service tells Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'route'>;
  readonly #problems: Counter<'code'>;
  readonly #open: Gauge;

  constructor(service: string) {
    const registers = [this.registry];
    this.registry.setDefaultLabels({ service });
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
      buckets: [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 100],
      registers,
    });
    this.#problems = new Counter({
      name: 'tacet_problems_total',
      help: 'Requests answered with a problem, by its stable code',
      labelNames: ['code'],
      registers,
    });
    // A counter that begins with its first problem has no rise that an alert could see.
    for (const code of Object.keys(ERRORS)) this.#problems.inc({ code }, 0);
    this.#open = new Gauge({
      name: 'tacet_requests_open',
      help: 'Requests that are being answered',
      registers,
    });
    const limit = new Gauge({
      name: 'tacet_memory_limit_bytes',
      help: 'Memory that the process may hold: all of the machine, or what its control group allows',
      registers,
    });
    limit.set(memoryLimit());
  }

  begin(): void {
    this.#open.inc();
  }

  observe({ method, route, status, seconds, code }: Observation): void {
    this.#open.dec();
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ route }, seconds);
    if (code !== undefined) this.#problems.inc({ code });
  }
}

/** In bytes. */
function memoryLimit(): number {
  // Nothing where the system does not say, and beyond any machine where nothing is set.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}
