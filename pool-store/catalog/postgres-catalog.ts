import type pg from 'pg';
import { TacetError } from '../../proto/errors.js';
import type { Catalog, CatalogArea, CatalogTransaction, Statements } from './catalog.js';
import { currentTime } from './catalog-clock.js';
import type { CatalogTables } from './catalog-tables.js';
import { requireKnown } from './catalog-version.js';
import { copyRows } from './copy-rows.js';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from './kysely.js';
import { SERVING } from './leased.js';
import { lockOf, PostgresDriver, type Use } from './postgres-driver.js';
import { POSTGRES_MIGRATIONS } from './postgres-migrations.js';
import { type PostgresPlace, patientPoolOf, poolOf, timeoutOf } from './postgres-pool.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/** A catalog in PostgreSQL, which any number of processes may open. */
export class PostgresCatalog implements Catalog {
  readonly isShared = true;
  readonly read: Statements;
  readonly #writing: Readonly<Record<CatalogArea, Statements>>;
  readonly #beside: Statements;
  readonly #listeners: ((committed: CatalogTransaction) => void)[] = [];

  private constructor(
    private readonly place: PostgresPlace,
    private readonly migrations: readonly string[],
  ) {
    const pool = poolOf(place);
    const timeoutMs = timeoutOf(place);
    const limits = { statementMs: timeoutMs, idleMs: timeoutMs };
    const known = migrations.length;
    this.read = over(pool, { limits });
    this.#writing = {
      records: over(pool, { areas: ['records'], known, limits }),
      uploads: over(pool, { areas: ['uploads'], known, limits }),
      leases: over(pool, { areas: ['leases'], known, limits }),
    };
    this.#beside = over(pool, { areas: [], known, limits });
  }

  /**
   * Connects, and makes or brings up the tables in the first schema of the search path. Throws
   * `catalog-unreachable` or `store-version`.
   */
  static async open(
    place: PostgresPlace,
    migrations = POSTGRES_MIGRATIONS,
  ): Promise<PostgresCatalog> {
    const catalog = new PostgresCatalog(place, migrations);
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
    return this.#committed(this.#writing[area], work);
  }

  async writeAtLength<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    const known = this.migrations.length;
    const idleMs = timeoutOf(this.place);
    return this.#patiently(
      { areas: ['records'], known, limits: { statementMs: 0, idleMs } },
      (writing) => this.#committed(writing, work),
    );
  }

  async requireKnown(): Promise<void> {
    requireKnown(await versionIn(this.read), this.migrations.length);
  }

  writeMuch<T>(
    prepare: (transaction: CatalogTransaction) => Promise<void>,
    finish: (transaction: CatalogTransaction) => Promise<T>,
  ): Promise<T> {
    return this.#committed(this.#beside, async (transaction) => {
      await prepare(transaction);
      await sql.raw(lockOf('records')).execute(transaction);
      // Another may have changed the tables while nothing was held.
      requireKnown(await versionIn(transaction), this.migrations.length);
      return finish(transaction);
    });
  }

  readMoment<T>(work: (moment: Statements) => Promise<T>): Promise<T> {
    return momentOf(this.read, work);
  }

  readAtLength<T>(work: (moment: Statements) => Promise<T>): Promise<T> {
    return this.#patiently({ limits: { statementMs: 0, idleMs: 0 } }, (reading) =>
      momentOf(reading, work),
    );
  }

  onCommit(listener: (committed: CatalogTransaction) => void): void {
    this.#listeners.push(listener);
  }

  async copyTo(path: string): Promise<void> {
    const target = new SqliteCatalog(path);
    try {
      await this.readAtLength((source) =>
        target.write((transaction) => copyRows(source, transaction)),
      );
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

  async #committed<T>(
    writing: Statements,
    work: (transaction: CatalogTransaction) => Promise<T>,
  ): Promise<T> {
    const { transaction, result } = await inTurn(writing, async (transaction) => ({
      transaction,
      result: await work(transaction),
    }));
    for (const listener of this.#listeners) listener(transaction);
    return result;
  }

  /** Does `work` over a connection of its own, no statement of which is cut off for its time. */
  async #patiently<T>(use: Use, work: (statements: Statements) => Promise<T>): Promise<T> {
    const statements = over(patientPoolOf(this.place), use);
    try {
      return await work(statements);
    } finally {
      await statements.destroy();
    }
  }

  async #migrate(): Promise<void> {
    const timeoutMs = timeoutOf(this.place);
    // Nobody writes meanwhile in any area, as one who knows the older version. Readers may hold it up, and would wait behind it.
    const areas = ['records', 'uploads', 'leases'] as const;
    const limits = { statementMs: 0, idleMs: timeoutMs, lockMs: timeoutMs };
    await this.#patiently({ areas, limits }, (making) =>
      inTurn(making, (each) => this.#bringUp(each)),
    );
  }

  async #bringUp(transaction: CatalogTransaction): Promise<void> {
    const { migrations } = this;
    const found = await sql<{ name: string | null }>`
        SELECT to_regclass(current_schema() || '.catalog_version')::text AS name`.execute(
      transaction,
    );
    if (!found.rows[0]?.name)
      await sql`CREATE TABLE catalog_version (version BIGINT NOT NULL)`.execute(transaction);
    const version = await versionIn(transaction);
    requireKnown(version, migrations.length);
    if (version === migrations.length) return;
    if (version > 0) await requireUnserved(transaction);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration.split(';\n').filter((each) => each.trim() !== ''))
        await sql.raw(statement).execute(transaction);
    }
    await sql`DELETE FROM catalog_version`.execute(transaction);
    await sql`INSERT INTO catalog_version VALUES (${migrations.length})`.execute(transaction);
  }
}

/**
 * Older servers would meet tables that they do not know, and one whose blobs lie on its own disk would go on with uploads that
 * it can no longer record. Throws `store-busy`.
 */
async function requireUnserved(transaction: CatalogTransaction): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`
    SELECT to_regclass(current_schema() || '.leases')::text AS name`.execute(transaction);
  if (!rows[0]?.name) return;
  const serving = await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', SERVING)
    .where('ends', '>', await currentTime(transaction))
    .executeTakeFirst();
  if (!serving) return;
  throw new TacetError(
    'store-busy',
    'a server of an older release serves this catalog, which this one would change; stop it, and where it was killed try ' +
      'again in a minute',
  );
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

function momentOf<T>(reading: Statements, work: (moment: Statements) => Promise<T>): Promise<T> {
  return reading
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}

/** Of the connections of one pool; transactions that write take turns with others of their areas. */
function over(pool: pg.Pool, use: Use): Statements {
  return new Kysely<CatalogTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(pool, use),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
