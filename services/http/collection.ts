import { currentTime } from '../../pool-store/catalog/catalog-clock.js';
import type { Store } from '../../pool-store/store.js';
import type { Limits } from './limits.js';

/** What was dropped because nobody came back for it. */
export interface Collection {
  readonly uploads: number;
  readonly blobs: number;
}

const HOUR_MS = 3_600_000;
/** Bytes of a request are named within this time from their end on, or never: a server was killed between the two. */
const UNNAMED_HOURS = 1;

/**
 * Drops unfinished uploads and unused blobs that are older than the limits say, by the catalog's clock, and what requests left
 * that were cut off. Throws the reason of `signal` once that is aborted.
 */
export async function collect(
  store: Store,
  { uploadHours, blobHours }: Pick<Limits, 'uploadHours' | 'blobHours'>,
  atMs?: number,
  signal?: AbortSignal,
): Promise<Collection> {
  const nowMs = atMs ?? (await currentTime(store.catalog.read));
  const before = (hours: number) => new Date(nowMs - hours * HOUR_MS);
  const abandoned = (await store.openUploads.all()).filter(
    ({ touched }) => touched < before(uploadHours),
  );
  for (const { id } of abandoned) {
    signal?.throwIfAborted();
    await store.openUploads.remove(id);
  }
  signal?.throwIfAborted();
  await store.openUploads.sweep(before(Math.min(uploadHours, UNNAMED_HOURS)), signal);
  const dropped = await store.collectUnused(before(blobHours), signal);
  return { uploads: abandoned.length, blobs: dropped.length };
}
