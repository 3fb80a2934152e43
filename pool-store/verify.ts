import { TacetError } from '../proto/errors.js';
import type { BlobAside } from './blobs/blobs.js';
import { digestOf } from './blobs/digest-of.js';
import { isDamage } from './catalog/disk-failure.js';
import { sql } from './catalog/kysely.js';
import { catalogOlder } from './catalog-check.js';
import type { BlobRecord } from './segments/blob-record.js';
import { examineSegment } from './segments/segment-facts.js';
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
  /** Blobs that a start put aside, for the catalog did not name them. */
  readonly orphans: readonly string[];
  readonly orphanBytes: number;
  /** Blobs that were put aside and that the catalog names by now: the next start takes them back. */
  readonly returning: readonly string[];
  /** Blobs on disk that the catalog does not name: the next start puts them aside. */
  readonly unnamed: readonly string[];
  /** The entry of the log that was committed here and is not in the catalog, which is older. */
  readonly lostEntry: number | null;
  /** Contributions and snapshots that hold a damaged or missing segment. */
  readonly affected: readonly string[];
  /** Damaged pages of the catalog, with their table. */
  readonly catalog: readonly string[];
  /** The first entry of the log that does not follow from the one before. */
  readonly logBrokenAt: number | null;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onBlob?: (done: number) => void;
  /** Moves damaged blobs aside, into `quarantine/`: nobody reads them, and a new upload heals them. */
  readonly isolate?: boolean;
  /** Erases for good what a start put aside, into `orphans/`. */
  readonly removeOrphans?: boolean;
}

/**
 * Reads every byte of a store, also while a server runs on it. Where the catalog itself is damaged,
 * whatever can still be read is checked.
 */
export async function verifyStore(
  store: Store,
  { signal, onBlob, isolate = false, removeOrphans = false }: VerifyOptions = {},
): Promise<Verification> {
  const catalog = await store.catalog.faults();
  if (removeOrphans) await requireNewest(store);
  const readable = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      catalog.push((error as Error).message);
      return otherwise;
    }
  };
  const faults = { damaged: [] as string[], missing: [] as string[], notErased: [] as string[] };
  const kept = { blobs: 0, bytes: 0 };
  for (const record of await readable(() => recordsOf(store), [])) {
    signal?.throwIfAborted();
    const fault = await faultOf(store, record);
    if (fault) faults[fault].push(record.digest);
    if (fault === 'damaged' && isolate) await store.blobs.isolate(record.digest);
    if (record.erased === null) {
      kept.blobs++;
      kept.bytes += record.bytes;
    }
    onBlob?.(kept.blobs);
  }
  const { orphans, returning } = await readable(() => orphansOf(store), NO_ORPHANS);
  if (removeOrphans) for (const { digest } of orphans) await discard(store, digest);
  const lost = [...faults.damaged, ...faults.missing];
  return {
    ...kept,
    ...faults,
    orphans: orphans.map(({ digest }) => digest),
    orphanBytes: orphans.reduce((sum, { bytes }) => sum + bytes, 0),
    returning,
    unnamed: await readable(() => unnamedOf(store), []),
    lostEntry: await readable(async () => (await store.lostHead())?.sequence ?? null, null),
    affected: await readable(() => holdersOf(store, lost), []),
    logBrokenAt: await readable(async () => (await store.log.firstBroken()) ?? null, null),
    catalog,
  };
}

/** To an older catalog, blobs that were acknowledged are orphans too. */
async function requireNewest(store: Store): Promise<void> {
  const lost = await store.lostHead();
  if (lost) throw catalogOlder(store.directory, await store.log.head(), lost);
}

interface Orphans {
  readonly orphans: readonly BlobAside[];
  readonly returning: readonly string[];
}

const NO_ORPHANS: Orphans = { orphans: [], returning: [] };

async function orphansOf(store: Store): Promise<Orphans> {
  const [orphans, returning]: [BlobAside[], string[]] = [[], []];
  for await (const one of store.blobs.aside()) {
    if (one.reason !== 'orphan') continue;
    if (await isReturning(store, one.digest)) returning.push(one.digest);
    else orphans.push(one);
  }
  return { orphans, returning };
}

/** Whether the only bytes of a blob that the catalog names are those that were put aside. */
async function isReturning({ blobs, blobRecords }: Store, digest: string): Promise<boolean> {
  if ((await blobRecords.find(digest))?.erased !== null) return false;
  return (await blobs.size(digest)) === undefined;
}

/** It may have got its record since it was listed, or lost its bytes. */
async function discard(store: Store, digest: string): Promise<void> {
  if (!(await isReturning(store, digest))) await store.blobs.discardOrphan(digest);
}

async function recordsOf({ blobRecords }: Store): Promise<BlobRecord[]> {
  const records: BlobRecord[] = [];
  for await (const record of blobRecords.all()) records.push(record);
  return records;
}

async function unnamedOf({ blobs, blobRecords }: Store): Promise<string[]> {
  const unnamed: string[] = [];
  for await (const digest of blobs.digests())
    if (!(await blobRecords.find(digest))) unnamed.push(digest);
  return unnamed;
}

async function holdersOf({ catalog }: Store, digests: readonly string[]): Promise<string[]> {
  const holders: string[] = [];
  for (const digest of digests) {
    const { rows } = await sql<{ holder: string }>`
      SELECT 'contribution ' || contribution AS holder FROM segments
      WHERE digest = ${digest} AND contribution IS NOT NULL
      UNION SELECT 'snapshot ' || snapshot FROM snapshot_segments WHERE segment = ${digest}
      ORDER BY holder`.execute(catalog.read);
    holders.push(...rows.map(({ holder }) => holder));
  }
  return holders;
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
