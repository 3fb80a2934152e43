import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../../pool-store/store.js';
import { openUploads } from './open-uploads.js';

export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** The stable code, where it was answered with a problem. */
  readonly code?: string | undefined;
}

/** What a service tells Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'route'>;
  readonly #problems: Counter<'code'>;
  readonly #open: Gauge;

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
    this.#problems = new Counter({
      name: 'tacet_problems_total',
      help: 'Requests answered with a problem, by its stable code',
      labelNames: ['code'],
      registers,
    });
    this.#open = new Gauge({
      name: 'tacet_requests_open',
      help: 'Requests that are being answered',
      registers,
    });
    this.#watchStore(store, registers);
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

  /** Read when Prometheus asks, so that they are never behind. */
  #watchStore(store: Store, registers: Registry[]): void {
    new Gauge({
      name: 'tacet_log_sequence',
      help: 'Sequence number of the newest entry of the change log',
      registers,
      collect() {
        this.set(store.log.head().sequence);
      },
    });
    new Gauge({
      name: 'tacet_store_bytes',
      help: 'Bytes of the blobs that are stored, by the name of who uploaded them',
      labelNames: ['owner'],
      registers,
      collect() {
        this.reset();
        for (const { owner, bytes } of store.blobRecords.bytesByOwner()) this.set({ owner }, bytes);
      },
    });
    new Gauge({
      name: 'tacet_contributions',
      help: 'Contributions that are kept, and tombstones of those that were withdrawn',
      labelNames: ['state'],
      registers,
      collect() {
        const { kept, withdrawn } = store.contributions.count();
        this.set({ state: 'kept' }, kept);
        this.set({ state: 'withdrawn' }, withdrawn);
      },
    });
    new Gauge({
      name: 'tacet_disk_free_bytes',
      help: 'Bytes that are free on the disk of the store',
      registers,
      async collect() {
        const { bavail, bsize } = await statfs(store.directory);
        this.set(bavail * bsize);
      },
    });
    new Gauge({
      name: 'tacet_uploads_open',
      help: 'Uploads that were begun and are not finished',
      registers,
      async collect() {
        this.set((await openUploads(store.uploads)).length);
      },
    });
  }
}
