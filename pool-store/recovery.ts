import { TacetError } from '../proto/errors.js';
import type { Blobs } from './blobs/blobs.js';
import type { Store } from './store.js';

/** Blobs that the catalog is asked about at a time. */
const GROUP = 1000;
/** Errors of a blob that cannot be taken back. */
const LEFT: ReadonlySet<string> = new Set(['not-found', 'digest-mismatch']);

/** What a start found after the last end, however it came. */
export interface Recovery {
  /**
   * Blobs on disk that the catalog does not name: uploads that a crash cut off, or blobs of a newer
   * catalog than this one. Put aside into `orphans/`, never erased.
   */
  readonly orphans: readonly string[];
  /** Blobs that lay in `orphans/`, and that the catalog names. Taken back. */
  readonly takenBack: readonly string[];
  /** Withdrawn blobs whose bytes were still there. Erased. */
  readonly erased: readonly string[];
  /** Blobs that the catalog names and the disk does not hold: damage. */
  readonly missing: readonly string[];
}

/**
 * Brings bytes and catalog to agreement; one process at a time may call it. Of a store that others serve too only what
 * was stored before `orphansBefore` can be an orphan: the rest may have its record in a moment. Throws the reason of
 * `signal` once that is aborted; the next call goes on.
 */
export async function recover(
  store: Store,
  orphansBefore?: Date,
  signal?: AbortSignal,
): Promise<Recovery> {
  const { blobs, blobRecords } = store;
  const unknown: string[] = [];
  const erased = new Set<string>();
  const present = new Set<string>();
  for await (const digests of inGroups(blobs.digests())) {
    signal?.throwIfAborted();
    const records = await blobRecords.findAll(digests);
    for (const digest of digests) {
      present.add(digest);
      const record = records.get(digest);
      if (record?.erased) erased.add(digest);
      else if (!record && (await isOlder(blobs, digest, orphansBefore))) unknown.push(digest);
    }
  }
  const orphans: string[] = [];
  for (const digest of unknown) {
    signal?.throwIfAborted();
    // Since it was listed, it may have got its record.
    if (await store.putUnknownAside(digest)) orphans.push(digest);
  }
  const takenBack: string[] = [];
  for await (const { digest, bytes, reason } of blobs.aside()) {
    signal?.throwIfAborted();
    const record = await blobRecords.find(digest);
    if (record === undefined) continue;
    if (record.erased !== null) erased.add(digest);
    else if (reason === 'orphan' && bytes === record.bytes) takenBack.push(digest);
  }
  for (const digest of erased) {
    signal?.throwIfAborted();
    await blobs.erase(digest);
  }
  const taken: string[] = [];
  for (const digest of takenBack) {
    signal?.throwIfAborted();
    const outcome = await store.turns.take(digest, () => takeBack(store, digest));
    if (outcome === 'erased') erased.add(digest);
    if (outcome !== 'kept') continue;
    taken.push(digest);
    present.add(digest);
  }
  return {
    orphans,
    takenBack: taken,
    erased: [...erased],
    missing: await missingFrom(store, present, signal),
  };
}

async function* inGroups(digests: AsyncIterable<string>): AsyncGenerator<string[]> {
  let group: string[] = [];
  for await (const digest of digests) {
    if (group.push(digest) < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function isOlder(blobs: Blobs, digest: string, before?: Date): Promise<boolean> {
  if (before === undefined) return true;
  const stored = await blobs.stored(digest);
  return stored !== undefined && stored < before;
}

/**
 * Takes a blob back that is not there any more, and is whole; returns what became of it. What was withdrawn meanwhile goes
 * again, for who withdrew it may have looked before it was back; undefined where nothing was taken.
 */
async function takeBack(
  { blobs, blobRecords }: Store,
  digest: string,
): Promise<'kept' | 'erased' | undefined> {
  if ((await blobs.size(digest)) !== undefined) return undefined;
  try {
    await blobs.takeBack(digest);
  } catch (error) {
    // It was erased since; or it is damaged, stays where it was, and the blob is missing.
    if (error instanceof TacetError && LEFT.has(error.code)) return undefined;
    throw error;
  }
  const record = await blobRecords.find(digest);
  if (record?.erased === null) return 'kept';
  // One without a record was collected, and the next recovery puts it aside again.
  if (record === undefined) return undefined;
  await blobs.erase(digest);
  return 'erased';
}

/**
 * One list instead of a question a blob, each of which may wait for a network. What the list lacks is asked for: it may have
 * come since.
 */
async function missingFrom(
  { blobs, blobRecords }: Store,
  present: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for await (const { digest, erased } of blobRecords.all()) {
    signal?.throwIfAborted();
    if (erased !== null || present.has(digest)) continue;
    if ((await blobs.size(digest)) !== undefined) continue;
    // Its record may be gone by now, or say that it was withdrawn.
    if ((await blobRecords.find(digest))?.erased === null) missing.push(digest);
  }
  return missing;
}
