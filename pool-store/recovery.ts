import type { Store } from './store.js';

/** What a start found after the last end, however it came. */
export interface Recovery {
  /** Blobs on disk that no commit ever named: uploads that a crash cut off. Removed. */
  readonly orphans: readonly string[];
  /** Withdrawn blobs whose bytes were still there. Erased. */
  readonly erased: readonly string[];
  /** Blobs that the catalog names and the disk does not hold: damage. */
  readonly missing: readonly string[];
}

/** Brings disk and catalog to agreement; only the process that serves the store may call it. */
export async function recover({ blobs, blobRecords }: Store): Promise<Recovery> {
  const orphans: string[] = [];
  const erased: string[] = [];
  for await (const digest of blobs.digests()) {
    const record = blobRecords.find(digest);
    if (record?.erased === null) continue;
    (record ? erased : orphans).push(digest);
    await blobs.erase(digest);
  }
  const missing: string[] = [];
  for (const { digest, erased } of [...blobRecords.all()]) {
    if (erased === null && (await blobs.size(digest)) === undefined) missing.push(digest);
  }
  return { orphans, erased, missing };
}
