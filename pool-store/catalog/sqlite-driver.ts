import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../../platform/sqlite/database.js';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from './kysely.js';

const BUSY_MS = 10_000;
const ASK_AGAIN_MS = 5;
/** Longer statements have as many values as they have rows, and are not met again. */
const KEPT_TEXT = 4000;

/**
 * One connection to SQLite, given to one holder at a time where `inTurn` says so, and to everyone at once where
 * statements stand alone. Transactions take the lock for writing when they begin, so that none fails half way
 * for another's; while another process holds it, this one goes on with other work.
 */
export class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(
    private readonly database: Database,
    private readonly inTurn: boolean,
  ) {
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.inTurn) return this.#connection;
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(): Promise<void> {
    const end = performance.now() + BUSY_MS;
    while (!this.#begins(performance.now() > end)) await wait(ASK_AGAIN_MS);
  }

  async commitTransaction(): Promise<void> {
    this.database.exec('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk may have ended it already.
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
  }

  async destroy(): Promise<void> {
    this.database.close();
  }

  #begins(isLast: boolean): boolean {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isLast || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      return false;
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  /** By their text. */
  readonly #statements = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#statement(sql);
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    if (sql.length <= KEPT_TEXT) this.#statements.set(sql, statement);
    return statement;
  }
}
