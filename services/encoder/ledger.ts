/**
 * What this institution has released: keyed hashes of sentences with a count, keyed hashes of PHI
 * entities with what was revealed of them, the segments, the contributions made of those, and the
 * strictest bounds that held for a release. SQLite in WAL mode with `synchronous=FULL`, so a commit survives a kill and a power loss. No text, no
 * token, no document id.
 */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { systemCode } from '../../models/text/corpus/system-error.js';
import { TacetError } from '../../proto/errors.js';
import type { Charge } from './charge.js';
import { LedgerKey } from './ledger-key.js';
import { NOTHING_SPENT, type Spent } from './withhold.js';

const SCHEMA_VERSION = 3;
const ENTITIES = `
  CREATE TABLE entities (
    entity BLOB PRIMARY KEY,
    mean REAL NOT NULL,
    variance REAL NOT NULL,
    sentences INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
const BOUNDS = `
  CREATE TABLE bounds (
    max_releases INTEGER,
    min_documents INTEGER
  ) STRICT;
  INSERT INTO bounds VALUES (NULL, NULL);
`;
/** Version 2 knew no bounds. */
const FROM_VERSION_2 = `
  ${BOUNDS}
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** Version 1 knew of no certification. */
const FROM_VERSION_1 = `
  ${ENTITIES}
  ALTER TABLE segments ADD COLUMN certified REAL;
  ${FROM_VERSION_2}
`;
const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [1, FROM_VERSION_1],
  [2, FROM_VERSION_2],
]);
// Hashes cluster by value, not by time of insertion: the table does not tell an order of sentences.
const SCHEMA = `
  CREATE TABLE key_check (value BLOB NOT NULL) STRICT;
  CREATE TABLE releases (
    sentence BLOB PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count > 0)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contributions (
    digest TEXT PRIMARY KEY,
    envelope BLOB NOT NULL,
    id TEXT
  ) STRICT;
  CREATE TABLE segments (
    digest TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    scheme TEXT NOT NULL,
    sentences INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    contribution TEXT REFERENCES contributions (digest),
    certified REAL
  ) STRICT;
  ${ENTITIES}
  ${BOUNDS}
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** How long SQLite itself waits for a lock; short, because it blocks the event loop. */
const BUSY_TIMEOUT_MS = 5;
const RETRY_MS = 20;
/** SQLite's codes for a file that cannot be opened, or opened to be read alone. */
const UNWRITABLE = /^SQLITE_(CANTOPEN|READONLY|PERM)/;

export interface SegmentRow {
  /** SHA-256 in hex of the bytes, and the file's name. */
  readonly digest: string;
  readonly model: string;
  readonly scheme: string;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** The limit under which every entity in it was certified; null where none was. */
  readonly certified: number | null;
}

const SEGMENT_COLUMNS = 'digest, model, scheme, sentences, tokens, bytes, certified';

/** A sentence of a segment, and what it reveals of each entity in it, by hash in hex. */
export interface Release {
  readonly hash: Uint8Array;
  readonly charges: readonly (Charge & { readonly entity: string })[];
}

/** What releases keep to; null where nothing was stated. */
export interface Bounds {
  readonly certified: number | null;
  readonly maxReleases: number | null;
  readonly minDocuments: number | null;
}

export interface ContributionRow {
  /** SHA-256 in hex of the envelope. */
  readonly digest: string;
  readonly envelope: Buffer;
}

export class Ledger {
  /** What a policy may pin it by. */
  readonly id: string;
  /** Asked for every sentence, so prepared once. */
  readonly #count: Database.Statement<[Uint8Array], number>;

  private constructor(
    private readonly db: Database.Database,
    private readonly key: LedgerKey,
  ) {
    this.id = key.id();
    this.#count = db
      .prepare<[Uint8Array], number>('SELECT count FROM releases WHERE sentence = ?')
      .pluck();
  }

  /** Whether `home` holds a ledger that counts a release; makes none there. */
  static async isUsed(home: string, signal?: AbortSignal): Promise<boolean> {
    const ledger = await Ledger.openExisting(home, signal);
    if (!ledger) return false;
    const isUsed = ledger.db.prepare('SELECT 1 FROM segments LIMIT 1').get() !== undefined;
    ledger.close();
    return isUsed;
  }

  /** As `open`; undefined where there is no ledger, and makes none. */
  static async openExisting(home: string, signal?: AbortSignal): Promise<Ledger | undefined> {
    const file = join(home, 'ledger.db');
    const isThere = await stat(file).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw asLedgerError(error, file);
    });
    if (isThere) return Ledger.open(home, signal);
    await LedgerKey.requireNone(home);
    return undefined;
  }

  /**
   * Opens the ledger in `home`, made on first use. Throws `ledger-invalid`, `key-invalid` where others
   * may read its key, and `file-unwritable` where `home` cannot be a home.
   */
  static async open(home: string, signal?: AbortSignal): Promise<Ledger> {
    const file = join(home, 'ledger.db');
    const db = await connect(home, file);
    try {
      await chmod(file, 0o600);
      await whenFree(() => db.pragma('journal_mode = WAL'), signal);
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      await exclusively(db, () => createTables(db, home), signal);
      return new Ledger(db, await exclusively(db, () => readKey(db, home), signal));
    } catch (error) {
      db.close();
      throw asLedgerError(error, file);
    }
  }

  /**
   * Runs `work` while no other process writes to this ledger: what `work` reads stays true until
   * what it writes is committed. Rolled back where `work` throws.
   */
  exclusively<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return exclusively(this.db, work, signal);
  }

  /** Runs `work` on one state of the ledger, whoever writes meanwhile; many look-ups then cost less. */
  reading(work: () => void): void {
    this.db.transaction(work)();
  }

  /** Another number whenever anyone else has written to the ledger. */
  version(): number {
    return this.db.pragma('data_version', { simple: true }) as number;
  }

  hashSentence(rowKeys: readonly string[]): Buffer {
    return this.key.hashSentence(rowKeys);
  }

  /** As `hashSentence`, where each key is `framed` already. */
  hashFramedRows(frames: readonly string[]): Buffer {
    return this.key.hashFramedRows(frames);
  }

  /** How often the sentence has been released. */
  releasesOf(sentence: Uint8Array): number {
    return this.#count.get(sentence) ?? 0;
  }

  hashEntity(words: readonly string[]): Buffer {
    return this.key.hashEntity(words);
  }

  /** As `LedgerKey.certificateSeed`. */
  certificateSeed(): number {
    return this.key.certificateSeed();
  }

  /** What all releases together reveal of an entity, by its hash in hex. */
  spentOn(entity: string): Spent {
    const row = this.db
      .prepare<[Buffer], Spent>('SELECT mean, variance, sentences FROM entities WHERE entity = ?')
      .get(Buffer.from(entity, 'hex'));
    return row ?? NOTHING_SPENT;
  }

  /** Whether all that was ever released is counted in `spentOn`. */
  isCertified(): boolean {
    return !this.db.prepare('SELECT 1 FROM segments WHERE certified IS NULL LIMIT 1').get();
  }

  /** The strictest that any release kept to. */
  bounds(): Bounds {
    return this.db
      .prepare<[], Bounds>(
        `SELECT (SELECT min(certified) FROM segments) AS certified,
           max_releases AS maxReleases, min_documents AS minDocuments FROM bounds`,
      )
      .get() as Bounds;
  }

  /** Remembers what a release keeps to, so far as it was stated. */
  recordBounds({ maxReleases, minDocuments }: Omit<Bounds, 'certified'>): void {
    this.db
      .prepare(
        `UPDATE bounds SET
           max_releases = min(ifnull(max_releases, $most), ifnull($most, max_releases)),
           min_documents = max(ifnull(min_documents, $least), ifnull($least, min_documents))`,
      )
      .run({ most: maxReleases, least: minDocuments });
  }

  /** Counts one release of each sentence and takes the segment that holds them into the ledger. */
  recordSegment(segment: SegmentRow, releases: Iterable<Release>): void {
    const count = this.db.prepare<[Uint8Array]>(
      'INSERT INTO releases VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
    const spend = this.db.prepare<[Buffer, number, number]>(
      `INSERT INTO entities VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET
         mean = mean + excluded.mean, variance = variance + excluded.variance,
         sentences = sentences + 1`,
    );
    for (const { hash, charges } of releases) {
      count.run(hash);
      for (const { entity, mean, variance } of charges)
        spend.run(Buffer.from(entity, 'hex'), mean, variance);
    }
    this.db
      .prepare<[SegmentRow]>(
        `INSERT INTO segments (${SEGMENT_COLUMNS}) VALUES
         (@digest, @model, @scheme, @sentences, @tokens, @bytes, @certified)`,
      )
      .run(segment);
  }

  /** Segments that no pool has promised to keep, in the order of their digests. */
  pendingSegments(): SegmentRow[] {
    return this.db
      .prepare<[], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution IS NULL
            OR contribution IN (SELECT digest FROM contributions WHERE id IS NULL)
         ORDER BY digest`,
      )
      .all();
  }

  /** Pending segments that no contribution names yet. */
  unclaimedSegments(): SegmentRow[] {
    return this.db
      .prepare<[], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution IS NULL ORDER BY digest`,
      )
      .all();
  }

  /** Contributions that were signed and not yet accepted. */
  pendingContributions(): ContributionRow[] {
    return this.db
      .prepare<[], ContributionRow>(
        'SELECT digest, envelope FROM contributions WHERE id IS NULL ORDER BY digest',
      )
      .all();
  }

  segmentsOf(contribution: string): SegmentRow[] {
    return this.db
      .prepare<[string], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution = ? ORDER BY digest`,
      )
      .all(contribution);
  }

  /** Stores a signed contribution before its first attempt, so that each retry sends the same one. */
  recordContribution({ digest, envelope }: ContributionRow, segments: readonly SegmentRow[]): void {
    this.db
      .prepare('INSERT INTO contributions (digest, envelope) VALUES (?, ?)')
      .run(digest, envelope);
    const claim = this.db.prepare('UPDATE segments SET contribution = ? WHERE digest = ?');
    for (const segment of segments) claim.run(digest, segment.digest);
  }

  /** Takes back a contribution that no pool has accepted; its segments wait again. */
  dropContribution(digest: string): void {
    this.db.prepare('UPDATE segments SET contribution = NULL WHERE contribution = ?').run(digest);
    this.db.prepare('DELETE FROM contributions WHERE digest = ? AND id IS NULL').run(digest);
  }

  /** The pool has promised to keep the contribution, under the name `id`. */
  recordAcceptance(contribution: string, id: string): void {
    this.db.prepare('UPDATE contributions SET id = ? WHERE digest = ?').run(id, contribution);
  }

  close(): void {
    this.db.close();
  }
}

async function connect(home: string, file: string): Promise<Database.Database> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return new Database(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

async function createTables(db: Database.Database, home: string): Promise<void> {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version === SCHEMA_VERSION) return;
  const migration = MIGRATIONS.get(version);
  if (migration !== undefined) {
    db.exec(migration);
    return;
  }
  if (version !== 0)
    throw new TacetError(
      'ledger-invalid',
      `${db.name}: schema version ${version}, this program knows ${SCHEMA_VERSION}; update tacet`,
    );
  const key = await LedgerKey.create(home);
  db.exec(SCHEMA);
  db.prepare('INSERT INTO key_check VALUES (?)').run(key.check());
}

async function readKey(db: Database.Database, home: string): Promise<LedgerKey> {
  await LedgerKey.settle(home);
  const row = db.prepare<[], { value: Buffer }>('SELECT value FROM key_check').get();
  if (!row) throw new TacetError('ledger-invalid', `${db.name}: the key check is missing`);
  return LedgerKey.read(home, row.value);
}

async function exclusively<T>(
  db: Database.Database,
  work: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  await whenFree(
    () => db.exec('BEGIN IMMEDIATE'),
    signal,
    () => db.inTransaction,
  );
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Tries until no other process, and no other call in this one, holds the lock. */
async function whenFree(
  attempt: () => void,
  signal: AbortSignal | undefined,
  busyHere: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (!busyHere()) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    await delay(RETRY_MS);
  }
}

function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
}

function asLedgerError(error: unknown, file: string): unknown {
  const system = systemCode(error);
  if (system !== undefined) return unwritable(file, system, error);
  const code = sqliteCodeOf(error);
  if (code === undefined) return error;
  if (UNWRITABLE.test(code)) return unwritable(file, code, error);
  return new TacetError('ledger-invalid', `${file}: ${code}; restore it from a backup`, {
    cause: error,
  });
}

function unwritable(file: string, code: string, cause: unknown): TacetError {
  return new TacetError(
    'file-unwritable',
    `${file}: cannot be written (${code}); expected a home that is a folder of this user, or that ` +
      'can be made: choose another, or give this user the right to write there',
    { cause },
  );
}

/** By name: the addon throws one class, even into a realm that has loaded another. */
function sqliteCodeOf(error: unknown): string | undefined {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  return name === 'SqliteError' && typeof code === 'string' ? code : undefined;
}
