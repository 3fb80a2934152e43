import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/files/durable-folder.js';
import { TacetError } from '../../proto/errors.js';
import { blobsAt, ON_DISK, placeOf, recordPlace } from '../blobs/blob-place.js';
import type { Blobs } from '../blobs/blobs.js';
import { DiskBlobs } from '../blobs/disk-blobs.js';
import { S3Blobs } from '../blobs/s3/s3-blobs.js';
import { isLeased } from '../catalog/leased.js';
import type { CatalogPlace } from '../catalog/open-catalog.js';
import { catalogOlder } from '../catalog-check.js';
import { type CopyNote, copyNoteIn, noteCopy } from '../copy-note.js';
import { BlobRecords } from '../segments/blob-records.js';
import { isServed, lockStore } from '../serve-lock.js';
import { CATALOG_FILE, Store } from '../store.js';
import { copyKey } from './backup.js';
import { type BlobStep, copyLacking, readBack } from './copied-blobs.js';
import { type CatalogMoment, takeMoment } from './copy-catalog.js';
import {
  type CatalogTarget,
  isSameFolder,
  requireEmptyPlace,
  requireOwnFolder,
  withTarget,
} from './copy-target.js';

/** Where a copy of a store goes. */
export interface CopyPlace {
  readonly directory: string;
  /** As `StoreOptions.catalog`. */
  readonly catalog?: CatalogPlace | undefined;
  /** `disk`, or the address of a bucket. */
  readonly blobs: string;
}

/** What a copy holds, all of which was read there once it was written. */
export interface StoreCopy {
  /** Of the last entry of its log. */
  readonly sequence: number;
  readonly rows: number;
  readonly blobs: number;
  readonly bytes: number;
  /** Blobs of these that came by this call. */
  readonly copied: number;
  /** Blobs that the source names and cannot give: run `verify` on it. */
  readonly damaged: readonly string[];
  /** Whether source and copy have the same place of blobs, where they stayed. */
  readonly isInPlace: boolean;
  /** Whether somebody serves the source, so that it may go on without the copy. */
  readonly isServed: boolean;
}

export interface StoreCopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBlob?: ((step: BlobStep, done: number, total: number) => void) | undefined;
}

/** How often a copy takes another moment because something was withdrawn or collected since the last. */
const ATTEMPTS = 10;
/** Of the directory to copy into: drafts, and the records before they are put in their place. */
const WORKING = 'copying';

/**
 * Copies a store as of one moment, also while it is served, to a place that holds nothing, or an earlier copy of it,
 * whole or cut off: blobs first, records last and in one piece, so that half a copy is no store. A copy into the
 * directory of the source itself, or with its bucket, moves the records alone. Throws `conflict` where the place holds
 * something else or has gone on by itself, `store-busy` where it is in use, or where records alone move and the source is
 * served, and `store-damaged` where the source's log is broken or the copy is not what was written.
 */
export async function copyStore(
  source: Store,
  place: CopyPlace,
  options: StoreCopyOptions = {},
): Promise<StoreCopy> {
  const { directory } = place;
  const lost = await source.lostHead();
  if (lost) throw catalogOlder(source.directory, await source.log.head(), lost);
  const isInside = isSameFolder(source.directory, directory);
  if (isInside) requireRecordsAlone(source, place);
  const note = await noteOf(source, place);
  if (!isInside) await requireOwnFolder(directory, note);
  makeDirectory(directory);
  const unlock = lockStore(directory);
  try {
    return await withTarget(source.catalog, directory, place.catalog, (catalog) =>
      new Copying({ source, place, catalog, note, isInside }, options).run(),
    );
  } finally {
    await rm(join(directory, WORKING), { recursive: true, force: true });
    unlock();
  }
}

interface Parts {
  readonly source: Store;
  readonly place: CopyPlace;
  readonly catalog: CatalogTarget;
  readonly note: CopyNote;
  /** Whether the directory is the source's own. */
  readonly isInside: boolean;
}

class Copying {
  readonly #working: string;
  readonly #blobs: Blobs;
  /** Whether the blobs stay where they are. */
  readonly #stays: boolean;
  #copied = 0;

  constructor(
    private readonly parts: Parts,
    private readonly options: StoreCopyOptions,
  ) {
    const { source, place } = parts;
    this.#working = join(place.directory, WORKING);
    this.#blobs =
      place.blobs === ON_DISK
        ? new DiskBlobs(join(place.directory, 'blobs'), this.#working)
        : blobsAt(place.blobs, place.directory);
    this.#stays = isSamePlace(source.blobs, this.#blobs);
  }

  async run(): Promise<StoreCopy> {
    const { source, catalog, isInside, note, place } = this.parts;
    const isBeingServed =
      (!isInside && isServed(source.directory)) ||
      (source.catalog.isShared && (await isLeased(source.catalog)));
    if (this.#stays && isBeingServed)
      throw new TacetError(
        'store-busy',
        `${source.directory} is being served, and a copy that keeps its blobs where they are takes its place; ` +
          'stop every server of it, and try again in a minute',
      );
    await catalog.require(source.log);
    if (!isInside) {
      if (!copyNoteIn(place.directory) && !this.#stays) await requireEmptyPlace(this.#blobs);
      await noteCopy(place.directory, { ...note, state: 'begun' });
    }
    for (const name of ['blobs', 'uploads']) makeDirectory(join(place.directory, name));
    await rm(this.#working, { recursive: true, force: true });
    makeDirectory(this.#working);
    const made = await this.#copyUntilWhole();
    if (!isInside) await noteCopy(place.directory, { ...note, state: 'whole' });
    return { ...made, isInPlace: this.#stays, isServed: isBeingServed };
  }

  async #copyUntilWhole(): Promise<Omit<StoreCopy, 'isInPlace' | 'isServed'>> {
    const { source, catalog } = this.parts;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moment = await takeMoment(source.catalog, join(this.#working, CATALOG_FILE));
      try {
        const named = await namedIn(moment);
        const damaged = await this.#copyBlobs([...named.keys()]);
        if (damaged === undefined) continue;
        for (const digest of damaged) named.delete(digest);
        await this.#putKeys();
        await catalog.put(moment);
        await this.#eraseOthers(named);
        await this.#requireWhole(moment);
        const bytes = [...named.values()].reduce((sum, each) => sum + each, 0);
        const { rows, head } = moment;
        const counts = { rows, blobs: named.size, bytes, copied: this.#copied };
        return { sequence: head.sequence, ...counts, damaged };
      } finally {
        await moment.catalog.close();
      }
    }
    throw new TacetError('store-busy', 'blobs are withdrawn all the time; copy the store later');
  }

  /** Returns those that are damaged at the source; undefined where one was withdrawn or collected since the moment. */
  async #copyBlobs(digests: readonly string[]): Promise<string[] | undefined> {
    const { source } = this.parts;
    const lacking = this.#stays ? [] : await this.#copyLacking(digests);
    const there = new Set(digests);
    for (const digest of lacking) there.delete(digest);
    const options = { ...this.options, mends: !this.#stays };
    const others = await readBack(source.blobs, this.#blobs, [...there], options);
    const damaged = [...lacking, ...others].sort();
    for (const digest of damaged)
      if ((await source.blobRecords.find(digest))?.erased !== null) return undefined;
    return damaged;
  }

  async #copyLacking(digests: readonly string[]): Promise<string[]> {
    const { copied, lacking } = await copyLacking(
      this.parts.source.blobs,
      this.#blobs,
      digests,
      this.options,
    );
    this.#copied += copied;
    return lacking;
  }

  /** What of the directory belongs to the store wherever it lies. */
  async #putKeys(): Promise<void> {
    const { source, place, isInside } = this.parts;
    if (isInside) return;
    await copyKey(source.directory, place.directory);
    if (place.blobs !== placeOf(place.directory)) await recordPlace(place.directory, place.blobs);
  }

  /** What an earlier call copied and was withdrawn or collected since. */
  async #eraseOthers(named: ReadonlyMap<string, number>): Promise<void> {
    if (this.#stays) return;
    for await (const digest of this.#blobs.digests())
      if (!named.has(digest)) await this.#blobs.erase(digest);
  }

  async #requireWhole({ head }: CatalogMoment): Promise<void> {
    const { directory, catalog } = this.parts.place;
    const store = await Store.open(directory, { catalog, blobs: this.#blobs });
    try {
      const found = await store.log.head();
      const broken = await store.log.firstBroken();
      if (found.hash !== head.hash || broken !== undefined)
        throw new TacetError('store-damaged', `the log of the copy in ${directory} is broken`);
      store.keptHead.advance(head);
    } finally {
      await store.close();
    }
  }
}

function requireRecordsAlone(source: Store, { directory, catalog, blobs }: CopyPlace): void {
  if (catalog === undefined && !source.catalog.isShared)
    throw new TacetError('conflict', `FROM and TO are the same store, in ${directory}`);
  if (blobs === placeOf(directory)) return;
  throw new TacetError(
    'conflict',
    `within ${directory} records alone move; to have the blobs elsewhere, too, name another directory to copy into`,
  );
}

async function noteOf(source: Store, { catalog, blobs }: CopyPlace): Promise<CopyNote> {
  const [first] = await source.log.entries(0, 1);
  return {
    source: first?.hash ?? '',
    catalog: catalog?.url ?? null,
    blobs,
    state: 'begun',
  };
}

/** Those that are in use, with their bytes. */
async function namedIn({ catalog, log }: CatalogMoment): Promise<Map<string, number>> {
  const named = new Map<string, number>();
  for await (const { digest, bytes, erased } of new BlobRecords(catalog, log).all())
    if (erased === null) named.set(digest, bytes);
  return named;
}

function isSamePlace(one: Blobs, other: Blobs): boolean {
  if (one instanceof DiskBlobs && other instanceof DiskBlobs)
    return isSameFolder(one.directory, other.directory);
  if (!(one instanceof S3Blobs && other instanceof S3Blobs)) return false;
  const [from, to] = [one.bucket.place, other.bucket.place];
  return from.bucket === to.bucket && from.prefix === to.prefix && from.endpoint === to.endpoint;
}
