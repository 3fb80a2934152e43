import type { Store } from '../../pool-store/store.js';
import type { Limits } from './limits.js';
import { openUploads, removeUpload } from './open-uploads.js';

/** What was dropped because nobody came back for it. */
export interface Collection {
  readonly uploads: number;
  readonly blobs: number;
}

const HOUR_MS = 3_600_000;

/** Drops unfinished uploads and unused blobs that are older than the limits say. */
export async function collect(
  store: Store,
  { uploadHours, blobHours }: Pick<Limits, 'uploadHours' | 'blobHours'>,
  nowMs = Date.now(),
): Promise<Collection> {
  const before = (hours: number) => new Date(nowMs - hours * HOUR_MS);
  const abandoned = (await openUploads(store.uploads)).filter(
    ({ touched }) => touched < before(uploadHours),
  );
  for (const { id } of abandoned) await removeUpload(store.uploads, id);
  const dropped = await store.collectUnused(before(blobHours));
  return { uploads: abandoned.length, blobs: dropped.length };
}
