import { currentTime } from '../../pool-store/catalog-clock.js';
import type { Store } from '../../pool-store/store.js';
import type { Limits } from './limits.js';

/** What was dropped because nobody came back for it. */
export interface Collection {
  readonly uploads: number;
  readonly blobs: number;
}

const HOUR_MS = 3_600_000;

/** Drops unfinished uploads and unused blobs that are older than the limits say, by the catalog's clock. */
export async function collect(
  store: Store,
  { uploadHours, blobHours }: Pick<Limits, 'uploadHours' | 'blobHours'>,
  atMs?: number,
): Promise<Collection> {
  const nowMs = atMs ?? (await currentTime(store.catalog.read));
  const before = (hours: number) => new Date(nowMs - hours * HOUR_MS);
  const abandoned = (await store.openUploads.all()).filter(
    ({ touched }) => touched < before(uploadHours),
  );
  for (const { id } of abandoned) await store.openUploads.remove(id);
  await store.openUploads.sweep(before(uploadHours));
  const dropped = await store.collectUnused(before(blobHours));
  return { uploads: abandoned.length, blobs: dropped.length };
}
