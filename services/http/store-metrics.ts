import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../../pool-store/store.js';
import type { BlobReach } from './blob-reach.js';

/** What a store tells Prometheus, read when that asks, so that it is never behind. */
export function watchStore(store: Store, reach: BlobReach, registry: Registry): void {
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
    name: 'tacet_store_bytes',
    help: 'Bytes of the blobs that are stored, by the name of who uploaded them',
    labelNames: ['owner'],
    registers,
    async collect() {
      const owners = await store.blobRecords.bytesByOwner();
      this.reset();
      for (const { owner, bytes } of owners) this.set({ owner }, bytes);
    },
  });
  new Gauge({
    name: 'tacet_contributions',
    help: 'Contributions that are kept, and tombstones of those that were withdrawn',
    labelNames: ['state'],
    registers,
    async collect() {
      const { kept, withdrawn } = await store.contributions.count();
      this.set({ state: 'kept' }, kept);
      this.set({ state: 'withdrawn' }, withdrawn);
    },
  });
  new Gauge({
    name: 'tacet_training_jobs',
    help: 'Training jobs by what became of them',
    labelNames: ['state'],
    registers,
    async collect() {
      const counts = await store.trainingJobs.count();
      this.reset();
      for (const { state, jobs } of counts) this.set({ state }, jobs);
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
      this.set((await store.openUploads.all()).length);
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
}
