import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptUpload } from '../../pool-store/accept-upload.js';
import type { BlobKind } from '../../pool-store/blob-records.js';
import type { Store } from '../../pool-store/store.js';

/** What a start found among the uploads. */
export interface UploadRecovery {
  /** Waiting for their clients to go on. */
  readonly unfinished: number;
  /** Had arrived whole, and are blobs now. */
  readonly finished: number;
  /** Without a readable record of what they are, or refused: removed. */
  readonly removed: number;
}

interface UploadRecord {
  readonly size: number;
  readonly metadata: { readonly digest: string; readonly kind: BlobKind };
}

/** Finishes what a crash cut off between the last byte of an upload and its blob. */
export async function recoverUploads(store: Store): Promise<UploadRecovery> {
  const counts = { unfinished: 0, finished: 0, removed: 0 };
  const names = await readdir(store.uploads);
  const ids = new Set(names.map((name) => name.replace(/\.json$/, '')));
  for (const id of ids) counts[await recoverUpload(store, join(store.uploads, id))]++;
  return counts;
}

async function recoverUpload(store: Store, path: string): Promise<keyof UploadRecovery> {
  try {
    const { size, metadata }: UploadRecord = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    if ((await stat(path)).size < size) return 'unfinished';
    await acceptUpload(store, path, metadata.digest, metadata.kind);
    await rm(`${path}.json`);
    return 'finished';
  } catch {
    await rm(path, { force: true });
    await rm(`${path}.json`, { force: true });
    return 'removed';
  }
}
