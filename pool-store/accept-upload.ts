import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { TacetError } from '../proto/errors.js';
import type { BlobKind } from './blob-records.js';
import { digestOf } from './blob-store.js';
import { examineSegment } from './segment-facts.js';
import type { Store } from './store.js';

/**
 * Makes an uploaded file a blob, once its digest is what was announced and, where it is a segment,
 * once every byte of it was found in order. The file is moved, or left where this throws:
 * `digest-mismatch`, `segment-invalid` or `withdrawn`.
 */
export async function acceptUpload(
  store: Store,
  path: string,
  digest: string,
  kind: BlobKind,
): Promise<void> {
  requireNotWithdrawn(store, digest);
  const found = await digestOf(createReadStream(path));
  if (found !== digest) {
    throw new TacetError('digest-mismatch', `the upload has SHA-256 ${found}, not ${digest}`);
  }
  const facts = kind === 'segment' ? await examineSegment(createReadStream(path)) : undefined;
  const { size } = await stat(path);
  await store.blobs.adopt(path, digest);
  store.blobRecords.add(digest, kind, size, facts);
  try {
    requireNotWithdrawn(store, digest);
  } catch (error) {
    // Withdrawn while it was uploaded once more: what came back must go again.
    await store.blobs.erase(digest);
    throw error;
  }
}

function requireNotWithdrawn({ blobRecords }: Store, digest: string): void {
  if (blobRecords.find(digest)?.erased) {
    throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
  }
}
