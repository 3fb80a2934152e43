import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { TacetError } from '../proto/errors.js';
import type { CatalogArea } from './catalog.js';
import { failureOf, isLost } from './postgres-failure.js';

/** Name the locks of the writers of a catalog, beside its schema: any numbers that nothing else uses. */
const LOCKS: Readonly<Record<CatalogArea, number>> = {
  records: 0x7ace7,
  uploads: 0x7ace8,
  leases: 0x7ace9,
};

/** Connections to PostgreSQL, each of one holder at a time; one that was lost is never given again. */
export class PostgresDriver implements Driver {
  /** Whoever writes, writes in `area`. */
  constructor(
    private readonly pool: Pool,
    private readonly area: CatalogArea = 'records',
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.pool.connect());
    } catch (error) {
      throw failureOf(error);
    }
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  /**
   * By default every statement sees what was committed before it. Who writes takes the lock of the area's writers with
   * the beginning, in one message: each statement after it sees what its last holder committed. It goes with the
   * transaction.
   */
  beginTransaction(
    connection: PostgresConnection,
    { isolationLevel = 'read committed', accessMode = 'read write' }: TransactionSettings,
  ): Promise<void> {
    const begin = `BEGIN ISOLATION LEVEL ${isolationLevel} ${accessMode}`;
    if (accessMode !== 'read write') return connection.run(begin);
    return connection.run(
      `${begin}; SELECT pg_advisory_xact_lock(${LOCKS[this.area]}, hashtext(current_schema()))`,
    );
  }

  /** Throws `outcome-unknown` where the connection was lost before the answer. */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.run('COMMIT');
    } catch (cause) {
      if (!connection.isBroken) throw cause;
      throw new TacetError(
        'outcome-unknown',
        'the connection to the catalog was lost while a change was committed: it was done, or it was not; ' +
          'repeat it, for what is done already changes nothing',
        { cause },
      );
    }
  }

  /** A lost connection takes its transaction with it. */
  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    if (!connection.isBroken) await connection.run('ROLLBACK').catch(() => {});
  }

  destroy(): Promise<void> {
    return this.pool.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  #fault: Error | undefined;

  constructor(private readonly client: PoolClient) {
    client.on('error', this.#note);
  }

  /** Whether nothing can be asked any more, or an answer may still come that belongs to an earlier question. */
  get isBroken(): boolean {
    return this.#fault !== undefined;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { rows, rowCount, command } = await this.client.query(sql, [...parameters]);
      if (command === 'SELECT') return { rows };
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (isLost(error)) this.#note(error as Error);
      throw failureOf(error);
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  async run(text: string): Promise<void> {
    try {
      await this.client.query(text);
    } catch (error) {
      // A transaction whose end was not answered must not be found by the next holder.
      this.#note(error as Error);
      throw failureOf(error);
    }
  }

  release(): void {
    this.client.off('error', this.#note);
    this.client.release(this.#fault);
  }

  readonly #note = (fault: Error): void => {
    this.#fault ??= fault;
  };
}
