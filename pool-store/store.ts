import { type KeyObject, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../platform/files/durable-folder.js';
import { TacetError } from '../proto/errors.js';
import type { LogHead } from '../proto/log-head.js';
import { blobsAt, placeOf } from './blobs/blob-place.js';
import type { Blobs } from './blobs/blobs.js';
import { CachedBlobs } from './blobs/cached-blobs.js';
import { DiskBlobs } from './blobs/disk-blobs.js';
import type { Catalog } from './catalog/catalog.js';
import { Leases } from './catalog/leases.js';
import { type CatalogPlace, openCatalog } from './catalog/open-catalog.js';
import { Turns } from './catalog/turns.js';
import { catalogMissing, catalogOlder } from './catalog-check.js';
import { ContributionIndex } from './contributions/contribution-index.js';
import { Contributions } from './contributions/contributions.js';
import { RecentSamples } from './contributions/recent-samples.js';
import { Withdrawals } from './contributions/withdrawals.js';
import { requireNoHalfCopy } from './copy-note.js';
import { ChangeLog } from './log/change-log.js';
import { KeptHead } from './log/kept-head.js';
import { holdsLogKey, openLogKey } from './log/log-key.js';
import { Identities } from './members/identities.js';
import { Sessions } from './members/sessions.js';
import { Tokens } from './members/tokens.js';
import { Audits } from './models/audits.js';
import { Models } from './models/models.js';
import { BlobRecords, COLLECTION_MS } from './segments/blob-records.js';
import { BlockIndex } from './segments/block-index.js';
import { lockStore } from './serve-lock.js';
import { SnapshotHoldings } from './snapshots/snapshot-holdings.js';
import { SnapshotIndex } from './snapshots/snapshot-index.js';
import { Snapshots } from './snapshots/snapshots.js';
import { TrainingJobs } from './training/training-jobs.js';
import { TrainingRuns } from './training/training-runs.js';
import type { OpenUploads } from './uploads/open-uploads.js';
import { UploadFiles } from './uploads/upload-files.js';
import { UploadRows } from './uploads/upload-rows.js';

export const CATALOG_FILE = 'catalog.db';
/** Holds the key that signs the heads of the log. */
export const KEY_DIRECTORY = 'log-key';
/** Keeps the newest head of the log that was committed in the directory. */
export const HEAD_FILE = 'log-head';

export interface StoreOptions {
  readonly serve?: boolean | undefined;
  /** Where its records are kept, as `openCatalog` takes it; by default in the directory too. */
  readonly catalog?: CatalogPlace | undefined;
  /** Where its blobs are kept; by default where they were before, in the directory or in a bucket. */
  readonly blobs?: Blobs | undefined;
  /** Signs the heads of the log, in the place of one that is made in the directory: who shares a catalog shares it. */
  readonly logKey?: KeyObject | undefined;
}

interface StoreParts {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
  readonly unlock: () => void;
  readonly logKey: KeyObject | undefined;
}

/**
 * Everything that a server keeps, in one directory: `catalog.db`, `blobs/` and `uploads/`, the key and
 * the head of its log, and what was put aside; or all but the blobs, which lie in a bucket. Several processes may open it; one at a time may serve
 * it.
 */
export class Store {
  readonly catalog: Catalog;
  readonly log: ChangeLog;
  readonly keptHead: KeptHead;
  readonly blobs: Blobs;
  /** By digest: who makes a blob or drops one does so alone. */
  readonly turns = new Turns();
  readonly blobRecords: BlobRecords;
  readonly blockIndex: BlockIndex;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly identities: Identities;
  readonly contributions: Contributions;
  readonly recentSamples: RecentSamples;
  readonly contributionIndex: ContributionIndex;
  readonly snapshots: Snapshots;
  readonly snapshotIndex: SnapshotIndex;
  readonly snapshotHoldings: SnapshotHoldings;
  readonly trainingRuns: TrainingRuns;
  readonly trainingJobs: TrainingJobs;
  readonly models: Models;
  readonly audits: Audits;
  readonly openUploads: OpenUploads;
  readonly leases: Leases;
  readonly withdrawals: Withdrawals;
  /** Names this opening of the store among those who share it. */
  readonly holder = randomUUID();
  /** Whether other processes may serve the same records and blobs. */
  readonly isShared: boolean;
  /** Where bytes of unfinished uploads lie, on the same file system as blobs on disk. */
  readonly uploads: string;
  readonly #closing = new AbortController();
  #logKey: KeyObject | undefined;
  readonly #unlock: () => void;

  private constructor(
    readonly directory: string,
    { catalog, blobs, unlock, logKey }: StoreParts,
  ) {
    this.#logKey = logKey;
    this.uploads = join(directory, 'uploads');
    this.#unlock = unlock;
    this.catalog = catalog;
    this.log = new ChangeLog(catalog);
    this.blobs = blobs;
    this.keptHead = new KeptHead(join(directory, HEAD_FILE));
    catalog.onCommit((committed) => {
      const head = this.log.headAfter(committed);
      if (head) this.keptHead.advance(head);
    });
    this.blobRecords = new BlobRecords(catalog, this.log);
    this.blockIndex = new BlockIndex(catalog);
    this.tokens = new Tokens(catalog, this.log);
    this.sessions = new Sessions(catalog);
    this.identities = new Identities(catalog, this.log);
    this.isShared = catalog.isShared && blobs.parts !== undefined;
    this.recentSamples = new RecentSamples(catalog, this.isShared);
    this.contributions = new Contributions(catalog, this.log, this.blobs, this.recentSamples);
    this.contributionIndex = new ContributionIndex(catalog);
    this.snapshots = new Snapshots(catalog, this.log);
    this.snapshotIndex = new SnapshotIndex(catalog);
    this.snapshotHoldings = new SnapshotHoldings(catalog, this.snapshots);
    this.trainingRuns = new TrainingRuns(catalog, this.log, this.snapshots);
    this.trainingJobs = new TrainingJobs(catalog, this.log, this.snapshots);
    this.models = new Models(catalog, this.log);
    this.audits = new Audits(catalog, this.log);
    this.leases = new Leases(catalog);
    this.withdrawals = new Withdrawals(this);
    this.openUploads = blobs.parts ? new UploadRows(this, blobs.parts) : new UploadFiles(this);
  }

  /**
   * Throws `store-damaged` where there are blobs and no catalog that could name them. With `serve`,
   * throws `store-busy` while another process serves the directory, and `store-damaged` where the
   * catalog lacks what was committed here, or a copy into the directory was begun and not ended.
   */
  static async open(
    directory: string,
    {
      serve = false,
      catalog,
      logKey,
      blobs = blobsAt(placeOf(directory), directory),
    }: StoreOptions = {},
  ): Promise<Store> {
    if (serve) requireNoHalfCopy(directory);
    const path = join(directory, CATALOG_FILE);
    // One elsewhere that does not answer leaves no folder that looks like a store's.
    let opened = catalog && (await openCatalog(path, catalog));
    let unlock = () => {};
    try {
      for (const name of ['', 'blobs', 'uploads']) makeDirectory(join(directory, name));
      if (!catalog && !existsSync(path) && holdsFiles(blobs)) throw catalogMissing(directory);
      if (serve) unlock = lockStore(directory);
      opened ??= await openCatalog(path);
      const store = new Store(directory, { blobs, unlock, catalog: opened, logKey });
      const fault = await store.#fault(blobs, serve);
      if (fault) throw fault;
      return store;
    } catch (error) {
      await opened?.close();
      unlock();
      throw error;
    }
  }

  /** The head that was committed here and is not in the catalog any more, or undefined. */
  async lostHead(): Promise<LogHead | undefined> {
    const kept = this.keptHead.read();
    return kept && !(await this.log.holds(kept)) ? kept : undefined;
  }

  /** Every blob has its entry in the log, so a log without entries is that of no store with blobs. */
  async #fault(blobs: Blobs, serve: boolean): Promise<TacetError | undefined> {
    const head = await this.log.head();
    if (head.sequence === 0 && holdsFiles(blobs)) return catalogMissing(this.directory);
    const lost = serve ? await this.lostHead() : undefined;
    return lost && catalogOlder(this.directory, head, lost);
  }

  /** Aborted once it is being closed: what nobody waits for ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the key of the log was given or made already. */
  get hasLogKey(): boolean {
    return this.#logKey !== undefined || holdsLogKey(join(this.directory, KEY_DIRECTORY));
  }

  /** Signs the heads of the log; made when it is first asked for. */
  get logKey(): KeyObject {
    this.#logKey ??= openLogKey(join(this.directory, KEY_DIRECTORY));
    return this.#logKey;
  }

  /**
   * Drops blobs that were stored before a time and are used by nothing. Who was held up between a record and its bytes
   * leaves them, as an orphan: another process may have kept them anew by then. Throws the reason of `signal` once that
   * is aborted.
   */
  async collectUnused(before: Date, signal?: AbortSignal): Promise<string[]> {
    return this.dropUnused(await this.blobRecords.unusedBefore(before.toISOString()), signal);
  }

  /** Drops those of these blobs that are used by nothing; returns which. Throws as `collectUnused`. */
  async dropUnused(digests: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const dropped: string[] = [];
    for (const digest of digests) {
      signal?.throwIfAborted();
      await this.turns.take(digest, async () => {
        const begun = performance.now();
        if (!(await this.blobRecords.forgetUnused(digest, this.holder))) return;
        if (performance.now() - begun < COLLECTION_MS / 2) await this.blobs.erase(digest);
        await this.blobRecords.collected(digest, this.holder);
        dropped.push(digest);
      });
    }
    return dropped;
  }

  /** Puts a blob aside that has no record, and gets none meanwhile; returns whether it was so, and there. */
  putUnknownAside(digest: string): Promise<boolean> {
    return this.turns.take(digest, async () => {
      const begun = performance.now();
      if (!(await this.blobRecords.refuseUnknown(digest, this.holder))) return false;
      try {
        if (performance.now() - begun >= COLLECTION_MS / 2) return false;
        await this.blobs.putAside(digest);
        return true;
      } catch (error) {
        if (error instanceof TacetError && error.code === 'not-found') return false;
        throw error;
      } finally {
        await this.blobRecords.collected(digest, this.holder);
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new TacetError('interrupted', 'the store is being closed'));
    try {
      if (this.blobs instanceof CachedBlobs) await this.blobs.close();
    } finally {
      try {
        await this.catalog.close();
      } finally {
        this.#unlock();
      }
    }
  }
}

/** A bucket is asked by whoever serves the store, for it takes time (`requireCatalogOf`). */
function holdsFiles(blobs: Blobs): boolean {
  return blobs instanceof DiskBlobs && !blobs.isEmpty();
}
