import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { TacetError } from '../proto/errors.js';
import type { BlobKind } from './blob-records.js';
import { SegmentExamination, type SegmentFacts } from './segment-facts.js';
import type { Store } from './store.js';

const CHUNK_BYTES = 1024 * 1024;

/** What was said of an upload at its start. */
export interface Announcement {
  readonly digest: string;
  readonly kind: BlobKind;
  /** The name of the token that uploads. */
  readonly holder?: string;
}

/**
 * Makes an uploaded file a blob, once its digest is what was announced and, where it is a segment,
 * once every byte of it was found in order. The file is moved, or left where this throws:
 * `digest-mismatch`, `segment-invalid` or `withdrawn`.
 */
export async function acceptUpload(
  store: Store,
  path: string,
  { digest, kind, holder }: Announcement,
): Promise<void> {
  requireNotWithdrawn(store, digest);
  const facts = await examine(path, digest, kind);
  const { size: bytes } = await stat(path);
  await store.blobs.adopt(path, digest);
  store.blobRecords.add({ digest, kind, bytes, owner: holder ?? null, facts });
  try {
    requireNotWithdrawn(store, digest);
  } catch (error) {
    // Withdrawn while it was uploaded once more: what came back must go again.
    await store.blobs.erase(digest);
    throw error;
  }
}

/** Reads the file once. A wrong digest is named first: a damaged segment is no malformed one. */
async function examine(
  path: string,
  digest: string,
  kind: BlobKind,
): Promise<SegmentFacts | undefined> {
  const hash = createHash('sha256');
  const segment = kind === 'segment' ? new SegmentExamination() : undefined;
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk);
    segment?.push(chunk);
  }
  const found = hash.digest('hex');
  if (found !== digest) {
    throw new TacetError('digest-mismatch', `the upload has SHA-256 ${found}, not ${digest}`);
  }
  return segment?.end();
}

/** The bytes of a file, each time in the same buffer: garbage would cost more than the reading. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function requireNotWithdrawn({ blobRecords }: Store, digest: string): void {
  if (blobRecords.find(digest)?.erased) {
    throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
  }
}
