import { type Database, openDatabase, type Statement } from '../../platform/sqlite/database.js';
import { TacetError } from '../../proto/errors.js';
import type { Catalog, CatalogTransaction, Statements } from './catalog.js';
import type { CatalogTables } from './catalog-tables.js';
import { requireKnown } from './catalog-version.js';
import { isDamage } from './disk-failure.js';
import {
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from './kysely.js';
import { MIGRATIONS } from './migrations.js';
import { SqliteDriver } from './sqlite-driver.js';
import { sqliteFaults } from './sqlite-faults.js';
import { addPieces } from './sqlite-pieces.js';

/** A catalog in one file, which several processes may open. */
export class SqliteCatalog implements Catalog {
  readonly isShared = false;
  readonly read: Statements;
  readonly #writing: Statements;
  readonly #writer: SqliteDriver;
  readonly #database: Database;
  readonly #reader: Database;
  readonly #version: Version;
  readonly #listeners: ((committed: CatalogTransaction) => void)[] = [];

  /**
   * Opens the file and brings it to this version. With `synchronous = FULL` SQLite syncs the
   * write-ahead log at every commit. Throws `store-version` or, where the first pages are damaged,
   * `store-damaged`.
   */
  constructor(
    private readonly path: string,
    private readonly migrations = MIGRATIONS,
  ) {
    this.#database = opened(path, (database) => prepare(database, path, migrations));
    this.#version = versionIn(this.#database);
    this.#reader = opened(path, readOnly);
    this.#writer = new SqliteDriver(this.#database, true);
    this.#writing = over(this.#writer);
    this.read = over(new SqliteDriver(this.#reader, false));
  }

  async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    const { transaction, result } = await this.#writing
      .transaction()
      .execute(async (transaction) => {
        await this.requireKnown();
        return { transaction, result: await work(transaction) };
      });
    for (const listener of this.#listeners) listener(transaction);
    return result;
  }

  writeAtLength<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  async requireKnown(): Promise<void> {
    requireKnown(this.#version.get() ?? 0, this.migrations.length);
  }

  writeMuch<T>(
    prepare: (transaction: CatalogTransaction) => Promise<void>,
    finish: (transaction: CatalogTransaction) => Promise<T>,
  ): Promise<T> {
    return this.write(async (transaction) => {
      await prepare(transaction);
      return finish(transaction);
    });
  }

  /** On a connection of its own, for those who read one statement at a time share one. */
  async readMoment<T>(work: (moment: Statements) => Promise<T>): Promise<T> {
    const database = opened(this.path, readOnly);
    try {
      database.exec('BEGIN');
      return await work(over(new SqliteDriver(database, false)));
    } finally {
      database.close();
    }
  }

  readAtLength<T>(work: (moment: Statements) => Promise<T>): Promise<T> {
    return this.readMoment(work);
  }

  onCommit(listener: (committed: CatalogTransaction) => void): void {
    this.#listeners.push(listener);
  }

  async copyTo(path: string): Promise<void> {
    const database = openDatabase(this.path);
    try {
      database.prepare('VACUUM INTO ?').run(path);
    } finally {
      database.close();
    }
  }

  async faults(): Promise<string[]> {
    return sqliteFaults(this.#database);
  }

  /** Leaves no file beside its own, so that it can be moved or copied alone. */
  async closeAsOneFile(): Promise<void> {
    this.#reader.close();
    this.#database.pragma('journal_mode = DELETE');
    await this.close();
  }

  /** Waits for the transactions that were begun. */
  async close(): Promise<void> {
    await this.#writer.acquireConnection();
    this.#reader.close();
    this.#database.close();
    await this.#writer.releaseConnection();
  }
}

function over(driver: Driver): Statements {
  return new Kysely<CatalogTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function opened(path: string, prepare: (database: Database) => void): Database {
  const database = openDatabase(path);
  try {
    prepare(database);
    return database;
  } catch (cause) {
    database.close();
    if (!isDamage(cause)) throw cause;
    const { message } = cause as Error;
    throw new TacetError('store-damaged', `${path}: ${message}; restore the newest backup`, {
      cause,
    });
  }
}

/** Pages of 4 KiB. Those that one segment's fingerprints touch are a thousand, and the next ones' are often the same. */
const WAL_PAGES = 4000;

function readOnly(database: Database): void {
  database.pragma('query_only = ON');
}

function prepare(database: Database, path: string, migrations: readonly string[]): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 10000');
  database.pragma('trusted_schema = OFF');
  addPieces(database);
  migrate(database, path, migrations);
  // From here on who waits for another process to write does other work meanwhile.
  database.pragma('busy_timeout = 0');
}

function migrate(database: Database, path: string, migrations: readonly string[]): void {
  const version = versionIn(database);
  const found = () => version.get() ?? 0;
  // Without a write where none is needed: the tools must work on a full disk.
  if (found() === migrations.length) return;
  const bringUp = database.transaction(() => {
    requireKnown(found(), migrations.length, path);
    for (const migration of migrations.slice(found())) database.exec(migration);
    database.pragma(`user_version = ${migrations.length}`);
  });
  bringUp.immediate();
}

type Version = Statement<[], number>;

function versionIn(database: Database): Version {
  return database.prepare<[], number>('PRAGMA user_version').pluck();
}
