import { type Database, openDatabase, type Statement } from '../platform/sqlite/database.js';
import { TacetError } from '../proto/errors.js';
import type { Catalog, Parameters } from './catalog.js';
import { isDamage } from './disk-failure.js';
import { MIGRATIONS } from './migrations.js';
import { sqliteFaults } from './sqlite-faults.js';

/** A catalog in one file, which several processes may open. */
export class SqliteCatalog implements Catalog {
  readonly #database: Database;
  /** By their text; the program has a fixed number of them. */
  readonly #statements = new Map<string, Statement>();
  readonly #listeners: (() => void)[] = [];

  /**
   * Opens the file and brings it to this version. With `synchronous = FULL` SQLite syncs the
   * write-ahead log at every commit. Throws `store-version` or, where the first pages are damaged,
   * `store-damaged`.
   */
  constructor(path: string) {
    this.#database = openDatabase(path);
    try {
      prepare(this.#database, path);
    } catch (cause) {
      this.#database.close();
      if (!isDamage(cause)) throw cause;
      const { message } = cause as Error;
      throw new TacetError('store-damaged', `${path}: ${message}; restore the newest backup`, {
        cause,
      });
    }
  }

  get<Row>(sql: string, ...parameters: Parameters): Row | undefined {
    return this.#statement(sql).get(...parameters) as Row | undefined;
  }

  all<Row>(sql: string, ...parameters: Parameters): Row[] {
    return this.#statement(sql).all(...parameters) as Row[];
  }

  each<Row>(sql: string, ...parameters: Parameters): IterableIterator<Row> {
    // A statement of its own: one that is read from cannot be used for anything else.
    return this.#database.prepare(sql).iterate(...parameters) as IterableIterator<Row>;
  }

  run(sql: string, ...parameters: Parameters): number {
    return this.#statement(sql).run(...parameters).changes;
  }

  transaction<T>(work: () => T): T {
    const result = this.#database.transaction(work).immediate();
    // One within another is committed with it.
    if (!this.#database.inTransaction) for (const listener of this.#listeners) listener();
    return result;
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  copyTo(path: string): void {
    this.#database.prepare('VACUUM INTO ?').run(path);
  }

  faults(): string[] {
    return sqliteFaults(this.#database);
  }

  /** Leaves no file beside its own, so that it can be moved or copied alone. */
  closeAsOneFile(): void {
    this.#database.pragma('journal_mode = DELETE');
    this.close();
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function prepare(database: Database, path: string): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 10000');
  database.pragma('trusted_schema = OFF');
  migrate(database, path);
}

function migrate(database: Database, path: string): void {
  // Without a write where none is needed: the tools must work on a full disk.
  if (versionOf(database) === MIGRATIONS.length) return;
  const bringUp = database.transaction(() => {
    const version = versionOf(database);
    if (version > MIGRATIONS.length) {
      throw new TacetError(
        'store-version',
        `${path} has version ${version}; this program knows ${MIGRATIONS.length}: upgrade it`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  bringUp.immediate();
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
