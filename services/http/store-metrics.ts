import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../../pool-store/store.js';
import type { BlobReach } from './blob-reach.js';
import type { StoreTotals, Totals } from './store-totals.js';

export interface Watched {
  readonly store: Store;
  readonly reach: BlobReach;
  readonly totals: StoreTotals;
}

/** What a store tells Prometheus, when that asks. */
export function watchStore({ store, reach, totals }: Watched, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'tacet_log_sequence',
    help: 'Sequence number of the newest entry of the change log',
    registers,
    async collect() {
      this.set((await store.log.head()).sequence);
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
    name: 'tacet_blobs_reachable',
    help: '1 where the disk or the bucket of the blobs answers, else 0',
    registers,
    async collect() {
      this.set((await reach.state()) === 'ok' ? 1 : 0);
    },
  });
  for (const { name, help, label, valuesOf } of TOTALS)
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      async collect() {
        const current = await totals.current();
        this.reset();
        // A gauge without labels is 0 when it is reset; it is to be absent.
        if (label === undefined) this.remove();
        if (!current) return;
        for (const [of, value] of valuesOf(current))
          if (label === undefined) this.set(value);
          else this.set({ [label]: of }, value);
      },
    });
}

interface TotalGauge {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly valuesOf: (totals: Totals) => readonly (readonly [string, number])[];
}

/** Of all servers of a store together; the leader's series alone. */
const TOTALS: readonly TotalGauge[] = [
  {
    name: 'tacet_store_bytes',
    help: 'Bytes of the blobs that are stored, by the name of who uploaded them',
    label: 'owner',
    valuesOf: ({ bytesByOwner }) => bytesByOwner.map(({ owner, bytes }) => [owner, bytes]),
  },
  {
    name: 'tacet_contributions',
    help: 'Contributions that are kept, and tombstones of those that were withdrawn',
    label: 'state',
    valuesOf: ({ contributions }) => Object.entries(contributions),
  },
  {
    name: 'tacet_training_jobs',
    help: 'Training jobs by what became of them',
    label: 'state',
    valuesOf: ({ jobs }) => jobs.map(({ state, jobs: count }) => [state, count]),
  },
  {
    name: 'tacet_uploads_open',
    help: 'Uploads that were begun and are not finished',
    valuesOf: ({ openUploads }) => [['', openUploads]],
  },
];
