import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Audits } from './audits.js';
import { BlobRecords } from './blob-records.js';
import type { Blobs } from './blobs.js';
import type { Catalog } from './catalog.js';
import { ChangeLog } from './change-log.js';
import { Contributions } from './contributions.js';
import { DiskBlobs } from './disk-blobs.js';
import { makeDirectory } from './durable-file.js';
import { Identities } from './identities.js';
import { openLogKey } from './log-key.js';
import { Models } from './models.js';
import { lockStore } from './serve-lock.js';
import { Snapshots } from './snapshots.js';
import { SqliteCatalog } from './sqlite-catalog.js';
import { Tokens } from './tokens.js';
import { TrainingRuns } from './training-runs.js';
import { Turns } from './turns.js';

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
  readonly blobs: Blobs;
  /** By digest: who makes a blob or drops one does so alone. */
  readonly turns = new Turns();
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
  #logKey: KeyObject | undefined;
  readonly #unlock: () => void;

  /** With `serve`, throws `store-busy` while another process serves the directory. */
  constructor(
    readonly directory: string,
    { serve = false }: { serve?: boolean } = {},
  ) {
    this.uploads = join(directory, 'uploads');
    for (const path of [directory, join(directory, 'blobs'), this.uploads]) makeDirectory(path);
    this.#unlock = serve ? lockStore(directory) : () => {};
    const catalog = new SqliteCatalog(join(directory, CATALOG_FILE));
    this.catalog = catalog;
    this.log = new ChangeLog(catalog);
    this.blobs = new DiskBlobs(join(directory, 'blobs'));
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

  /** Drops blobs that were stored before a time and are used by nothing. */
  async collectUnused(before: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const digest of this.blobRecords.unusedBefore(before.toISOString())) {
      await this.turns.take(digest, async () => {
        if (!this.blobRecords.forgetUnused(digest)) return;
        await this.blobs.erase(digest);
        dropped.push(digest);
      });
    }
    return dropped;
  }

  close(): void {
    this.catalog.close();
    this.#unlock();
  }
}
