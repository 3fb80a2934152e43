import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Audits } from './audits.js';
import { BlobRecords } from './blob-records.js';
import { BlobStore } from './blob-store.js';
import { type Catalog, openCatalog } from './catalog.js';
import { ChangeLog } from './change-log.js';
import { Contributions } from './contributions.js';
import { makeDirectory } from './durable-file.js';
import { Identities } from './identities.js';
import { openLogKey } from './log-key.js';
import { Models } from './models.js';
import { lockStore } from './serve-lock.js';
import { Snapshots } from './snapshots.js';
import { Tokens } from './tokens.js';
import { TrainingRuns } from './training-runs.js';

export const CATALOG_FILE = 'catalog.db';
/** Holds the key that signs the heads of the log. */
export const KEY_DIRECTORY = 'log-key';

/**
 * Everything that a server keeps, in one directory: `catalog.db`, `blobs/` and `uploads/`. Several
 * processes may open it; one at a time may serve it.
 */
export class Store {
  readonly catalog: Catalog;
  readonly log: ChangeLog;
  readonly blobs: BlobStore;
  readonly blobRecords: BlobRecords;
  readonly tokens: Tokens;
  readonly identities: Identities;
  readonly contributions: Contributions;
  readonly snapshots: Snapshots;
  readonly trainingRuns: TrainingRuns;
  readonly models: Models;
  readonly audits: Audits;
  /** Where unfinished uploads lie, on the same file system as the blobs. */
  readonly uploads: string;
  /** Where damaged blobs are moved to. */
  readonly quarantine: string;
  #logKey: KeyObject | undefined;
  readonly #unlock: () => void;

  /** With `serve`, throws `store-busy` while another process serves the directory. */
  constructor(
    readonly directory: string,
    { serve = false }: { serve?: boolean } = {},
  ) {
    this.uploads = join(directory, 'uploads');
    this.quarantine = join(directory, 'quarantine');
    for (const path of [directory, join(directory, 'blobs'), this.uploads]) makeDirectory(path);
    this.#unlock = serve ? lockStore(directory) : () => {};
    const catalog = openCatalog(join(directory, CATALOG_FILE));
    this.catalog = catalog;
    this.log = new ChangeLog(catalog);
    this.blobs = new BlobStore(join(directory, 'blobs'));
    this.blobRecords = new BlobRecords(catalog, this.log);
    this.tokens = new Tokens(catalog, this.log);
    this.identities = new Identities(catalog, this.log);
    this.contributions = new Contributions(catalog, this.log, this.blobs);
    this.snapshots = new Snapshots(catalog, this.log);
    this.trainingRuns = new TrainingRuns(catalog, this.log, this.snapshots);
    this.models = new Models(catalog, this.log);
    this.audits = new Audits(catalog, this.log);
  }

  /** Signs the heads of the log; made when it is first asked for. */
  get logKey(): KeyObject {
    this.#logKey ??= openLogKey(join(this.directory, KEY_DIRECTORY));
    return this.#logKey;
  }

  /**
   * Drops blobs that were stored before a time and are used by nothing. Rows and bytes go in one
   * turn of the event loop, so that no upload or contribution comes in between.
   */
  collectUnused(before: Date): string[] {
    const unused = this.blobRecords.forgetUnused(before.toISOString());
    for (const digest of unused) this.blobs.eraseNow(digest);
    return unused;
  }

  close(): void {
    this.catalog.close();
    this.#unlock();
  }
}
