import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import pg from 'pg';
import type { Catalog, CatalogArea, CatalogTransaction, Statements } from './catalog.js';
import type { CatalogTables } from './catalog-tables.js';
import { requireKnown } from './catalog-version.js';
import { copyRows } from './copy-rows.js';
import { PostgresDriver, type Writing } from './postgres-driver.js';
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
  readonly #making: Statements;
  readonly #listeners: ((committed: CatalogTransaction) => void)[] = [];

  private constructor(
    pool: pg.Pool,
    private readonly migrations: readonly string[],
  ) {
    const known = migrations.length;
    this.read = over(pool);
    this.#writing = {
      records: over(pool, { areas: ['records'], known }),
      uploads: over(pool, { areas: ['uploads'], known }),
      leases: over(pool, { areas: ['leases'], known }),
    };
    this.#making = over(pool, { areas: ['records', 'uploads', 'leases'] });
  }

  /**
   * Connects, and makes or brings up the tables in the first schema of the search path. Throws
   * `catalog-unreachable` or `store-version`.
   */
  static async open(
    place: PostgresPlace,
    migrations = POSTGRES_MIGRATIONS,
  ): Promise<PostgresCatalog> {
    const catalog = new PostgresCatalog(poolOf(place), migrations);
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
    const { transaction, result } = await inTurn(this.#writing[area], async (transaction) => ({
      transaction,
      result: await work(transaction),
    }));
    for (const listener of this.#listeners) listener(transaction);
    return result;
  }

  async requireKnown(): Promise<void> {
    requireKnown(await versionIn(this.read), this.migrations.length);
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

  async #migrate(): Promise<void> {
    const { migrations } = this;
    // Nobody writes meanwhile in any area, as one who knows the older version.
    await inTurn(this.#making, async (transaction) => {
      const found = await sql<{ name: string | null }>`
        SELECT to_regclass(current_schema() || '.catalog_version')::text AS name`.execute(
        transaction,
      );
      if (!found.rows[0]?.name)
        await sql`CREATE TABLE catalog_version (version BIGINT NOT NULL)`.execute(transaction);
      const version = await versionIn(transaction);
      requireKnown(version, migrations.length);
      if (version === migrations.length) return;
      for (const migration of migrations.slice(version)) {
        for (const statement of migration.split(';\n').filter((each) => each.trim() !== ''))
          await sql.raw(statement).execute(transaction);
      }
      await sql`DELETE FROM catalog_version`.execute(transaction);
      await sql`INSERT INTO catalog_version VALUES (${migrations.length})`.execute(transaction);
    });
  }
}

async function versionIn(statements: Statements): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    SELECT version FROM catalog_version`.execute(statements);
  return rows[0]?.version ?? 0;
}

function inTurn<T>(
  writing: Statements,
  work: (transaction: CatalogTransaction) => Promise<T>,
): Promise<T> {
  return writing.transaction().setAccessMode('read write').execute(work);
}

/** Of the connections of one pool; transactions that write take turns with others of their areas. */
function over(pool: pg.Pool, writing?: Writing): Statements {
  return new Kysely<CatalogTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(pool, writing),
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
