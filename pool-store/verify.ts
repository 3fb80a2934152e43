import { TacetError } from '../proto/errors.js';
import type { BlobRecord } from './blob-records.js';
import { digestOf } from './blob-store.js';
import { examineSegment } from './segment-facts.js';
import type { Store } from './store.js';

/** What a complete check of a store found. */
export interface Verification {
  readonly blobs: number;
  readonly bytes: number;
  /** Blobs whose bytes are not what their name says. */
  readonly damaged: readonly string[];
  readonly missing: readonly string[];
  /** Withdrawn blobs whose bytes are still on disk. */
  readonly notErased: readonly string[];
  readonly catalog: 'ok' | 'damaged';
  /** The first entry of the log that does not follow from the one before. */
  readonly logBrokenAt: number | null;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onBlob?: (done: number) => void;
}

/** Reads every byte of a store, also while a server runs on it. */
export async function verifyStore(
  store: Store,
  { signal, onBlob }: VerifyOptions = {},
): Promise<Verification> {
  const faults = { damaged: [] as string[], missing: [] as string[], notErased: [] as string[] };
  let blobs = 0;
  let bytes = 0;
  for (const record of [...store.blobRecords.all()]) {
    signal?.throwIfAborted();
    const fault = await faultOf(store, record);
    if (fault) faults[fault].push(record.digest);
    if (record.erased === null) {
      blobs++;
      bytes += record.bytes;
    }
    onBlob?.(blobs);
  }
  const integrity = store.catalog.pragma('integrity_check', { simple: true });
  const catalog = integrity === 'ok' ? 'ok' : 'damaged';
  return { blobs, bytes, ...faults, catalog, logBrokenAt: store.log.firstBroken() ?? null };
}

async function faultOf(
  { blobs }: Store,
  { digest, kind, erased }: BlobRecord,
): Promise<'damaged' | 'missing' | 'notErased' | undefined> {
  const size = await blobs.size(digest);
  if (erased !== null) return size === undefined ? undefined : 'notErased';
  if (size === undefined) return 'missing';
  if ((await digestOf(blobs.read(digest))) !== digest) return 'damaged';
  return kind === 'segment' && !(await isSegment(blobs.read(digest))) ? 'damaged' : undefined;
}

async function isSegment(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    await examineSegment(chunks);
    return true;
  } catch (error) {
    if (error instanceof TacetError) return false;
    throw error;
  }
}
