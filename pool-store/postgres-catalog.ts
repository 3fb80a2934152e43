import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import pg from 'pg';
import { TacetError } from '../proto/errors.js';
import type { Catalog, CatalogArea, CatalogTransaction, Statements } from './catalog.js';
import type { CatalogTables } from './catalog-tables.js';
import { copyRows } from './copy-rows.js';
import { PostgresDriver } from './postgres-driver.js';
import { POSTGRES_MIGRATIONS } from './postgres-migrations.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/** A database of PostgreSQL, and how long it is waited for. */
export interface PostgresPlace {
  /** `postgres://user@host:port/database`, with the parameters that `pg` knows. */
  readonly url: string;
  readonly password?: string | undefined;
  /** Connections that one process opens at most; 10 unless stated. */
  readonly connections?: number | undefined;
  /** For a connection, and for the answer to a statement; 30 s unless stated. */
  readonly timeoutMs?: number | undefined;
}

const CONNECTIONS = 10;
const TIMEOUT_MS = 30_000;
const IDLE_MS = 30_000;

/** Of whole numbers and of sums over them, which stay below 2^53 here. */
const [INT8, NUMERIC] = [20, 1700];

/** A catalog in PostgreSQL, which any number of processes may open. */
export class PostgresCatalog implements Catalog {
  readonly isShared = true;
  readonly read: Statements;
  readonly #writing: Readonly<Record<CatalogArea, Statements>>;
  readonly #listeners: ((committed: CatalogTransaction) => void)[] = [];

  private constructor(pool: pg.Pool) {
    this.read = over(pool);
    this.#writing = {
      records: over(pool, 'records'),
      uploads: over(pool, 'uploads'),
      leases: over(pool, 'leases'),
    };
  }

  /**
   * Connects, and makes or brings up the tables in the first schema of the search path. Throws
   * `catalog-unreachable` or `store-version`.
   */
  static async open(place: PostgresPlace): Promise<PostgresCatalog> {
    const catalog = new PostgresCatalog(poolOf(place));
    try {
      await catalog.#migrate();
      return catalog;
    } catch (error) {
      await catalog.close();
      throw error;
    }
  }

  async write<T>(
    work: (transaction: CatalogTransaction) => Promise<T>,
    area: CatalogArea = 'records',
  ): Promise<T> {
    const { transaction, result } = await this.#inTurn(area, async (transaction) => ({
      transaction,
      result: await work(transaction),
    }));
    for (const listener of this.#listeners) listener(transaction);
    return result;
  }

  onCommit(listener: (committed: CatalogTransaction) => void): void {
    this.#listeners.push(listener);
  }

  async copyTo(path: string): Promise<void> {
    const target = new SqliteCatalog(path);
    try {
      const reading = this.read.transaction();
      await reading
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((source) => target.write((transaction) => copyRows(source, transaction)));
      await target.closeAsOneFile();
    } finally {
      await target.close();
    }
  }

  /** Pages are the business of PostgreSQL itself (`data_checksums`, `amcheck`). */
  async faults(): Promise<string[]> {
    return [];
  }

  close(): Promise<void> {
    return this.read.destroy();
  }

  #inTurn<T>(area: CatalogArea, work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.#writing[area].transaction().setAccessMode('read write').execute(work);
  }

  async #migrate(): Promise<void> {
    await this.#inTurn('records', async (transaction) => {
      const found = await sql<{ name: string | null }>`
        SELECT to_regclass(current_schema() || '.catalog_version')::text AS name`.execute(
        transaction,
      );
      if (!found.rows[0]?.name)
        await sql`CREATE TABLE catalog_version (version BIGINT NOT NULL)`.execute(transaction);
      const versions = await sql<{ version: number }>`
        SELECT version FROM catalog_version`.execute(transaction);
      const version = versions.rows[0]?.version ?? 0;
      if (version > POSTGRES_MIGRATIONS.length) {
        throw new TacetError(
          'store-version',
          `the catalog has version ${version}; this program knows ${POSTGRES_MIGRATIONS.length}: upgrade it`,
        );
      }
      if (version === POSTGRES_MIGRATIONS.length) return;
      for (const migration of POSTGRES_MIGRATIONS.slice(version)) {
        for (const statement of migration.split(';\n').filter((each) => each.trim() !== ''))
          await sql.raw(statement).execute(transaction);
      }
      await sql`DELETE FROM catalog_version`.execute(transaction);
      await sql`INSERT INTO catalog_version VALUES (${POSTGRES_MIGRATIONS.length})`.execute(
        transaction,
      );
    });
  }
}

/** Of the connections of one pool; transactions that write take turns with others of the area. */
function over(pool: pg.Pool, area?: CatalogArea): Statements {
  return new Kysely<CatalogTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(pool, area),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

function poolOf({
  url,
  password,
  connections = CONNECTIONS,
  timeoutMs = TIMEOUT_MS,
}: PostgresPlace): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...(password !== undefined && { password }),
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: IDLE_MS,
    // The server's limit comes first, so that a slow statement costs no connection.
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + 5000,
    // A process that stops in a transaction must not hold all others up.
    idle_in_transaction_session_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'tacet',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // What writes says so when it begins.
  pool.on('connect', (client) => {
    client.query('SET default_transaction_read_only = on').catch(() => {});
  });
  // Of connections that nobody holds: the pool opens others.
  pool.on('error', () => {});
  return pool;
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
}
