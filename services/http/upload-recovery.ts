import { join } from 'node:path';
import { acceptMoved, acceptUpload } from '../../pool-store/accept-upload.js';
import { isUnavailable } from '../../pool-store/blob-faults.js';
import type { Store } from '../../pool-store/store.js';
import { readUpload, removeUpload, uploadIds } from './open-uploads.js';

/** What a start found among the uploads. */
export interface UploadRecovery {
  /** Waiting for their clients to go on. */
  readonly unfinished: number;
  /** Had arrived whole, and are blobs now. */
  readonly finished: number;
  /** Without a readable record of what they are, or refused: removed. */
  readonly removed: number;
}

/**
 * Finishes what a crash cut off between the last byte of an upload and its blob, also where the bytes
 * had been moved already: so it comes before `recover`, to which those would be orphans.
 */
export async function recoverUploads(store: Store): Promise<UploadRecovery> {
  const counts = { unfinished: 0, finished: 0, removed: 0 };
  for (const id of await uploadIds(store.uploads)) counts[await recoverUpload(store, id)]++;
  return counts;
}

async function recoverUpload(store: Store, id: string): Promise<keyof UploadRecovery> {
  const upload = await readUpload(store.uploads, id);
  if (upload && upload.offset < upload.size) return 'unfinished';
  try {
    if (!upload) throw new Error('it has no record');
    if (upload.isMoved) await acceptMoved(store, upload);
    else await acceptUpload(store, join(store.uploads, id), upload);
    await removeUpload(store.uploads, id);
    return 'finished';
  } catch (error) {
    // Later its blob can be made.
    if (isUnavailable(error)) throw error;
    await removeUpload(store.uploads, id);
    return 'removed';
  }
}
