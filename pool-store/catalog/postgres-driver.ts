import type { Pool, PoolClient, QueryResult as Result } from 'pg';
import { TacetError } from '../../proto/errors.js';
import type { CatalogArea } from './catalog.js';
import { requireKnown } from './catalog-version.js';
import type { CompiledQuery, Driver, QueryResult, TransactionSettings } from './kysely.js';
import { failureOf, isLost } from './postgres-failure.js';
import type { SendingConnection } from './together.js';

/** Name the locks of the writers of a catalog, beside its schema: any numbers that nothing else uses. */
const LOCKS: Readonly<Record<CatalogArea, number>> = {
  records: 0x7ace7,
  uploads: 0x7ace8,
  leases: 0x7ace9,
};

/** The server is not told to refuse others outside of a transaction, for that would be a setting of the session. */
const READS = /^\s*SELECT\b/i;

/** What is done over a driver. */
export interface Use {
  /** What transactions write together, in this order of their locks everywhere; all is read where it is not said. */
  readonly areas?: readonly CatalogArea[];
  /** The newest version of the tables that who writes knows; undefined where he makes them. */
  readonly known?: number | undefined;
  /** Of a transaction, in milliseconds; 0 for none. */
  readonly limits: Limits;
}

interface Limits {
  readonly statementMs: number;
  /** Between two statements: a process that stops in a transaction must not hold all others up. */
  readonly idleMs: number;
  /** For a lock on a table, which others wait for behind who waits for it. */
  readonly lockMs?: number;
}

/** The statement that waits for the turn of a writer in an area, and has it until the end of its transaction. */
export function lockOf(area: CatalogArea): string {
  return `SELECT pg_advisory_xact_lock(${LOCKS[area]}, hashtext(current_schema()))`;
}

/** Connections to PostgreSQL, each of one holder at a time; one that was lost is never given again. */
export class PostgresDriver implements Driver {
  constructor(
    private readonly pool: Pool,
    private readonly use: Use,
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.pool.connect(), this.use.areas !== undefined);
    } catch (error) {
      throw failureOf(error);
    }
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  /**
   * By default every statement sees what was committed before it. Who writes takes the lock of the area's writers with
   * the beginning, in one message: each statement after it sees what its last holder committed, such as another version
   * of the tables, which the message asks for too. The lock goes with the transaction. Nothing waits for the answer but the
   * first statement's, or the end, which throw `store-version`: the statement stands behind the message already when the turn comes.
   */
  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel = 'read committed', accessMode = 'read write' }: TransactionSettings,
  ): Promise<void> {
    const { areas = [], known, limits } = this.use;
    const begin = [
      `BEGIN ISOLATION LEVEL ${isolationLevel} ${accessMode}`,
      // Of the transaction, and not of the session, which a proxy may give to another with the next one.
      `SET LOCAL statement_timeout = ${limits.statementMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${limits.idleMs}`,
    ];
    if (accessMode !== 'read write') {
      await connection.run(begin.join('; '));
      return;
    }
    const locks = areas.map(lockOf);
    const lockLimit =
      limits.lockMs === undefined ? [] : [`SET LOCAL lock_timeout = ${limits.lockMs}`];
    const version = known === undefined ? [] : ['SELECT version FROM catalog_version'];
    const text = [...begin, ...locks, ...lockLimit, ...version].join('; ');
    connection.begin(text, (answers) => {
      if (known !== undefined) requireKnown(answers.at(-1)?.rows[0]?.version ?? 0, known);
    });
  }

  /** Throws `outcome-unknown` where the connection was lost before the answer, and what a statement threw that was sent. */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.commit();
    } catch (cause) {
      if (!connection.isBroken || !connection.mayBeCommitted) throw cause;
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
    if (!connection.isBroken) await connection.run('ROLLBACK').catch(() => []);
  }

  destroy(): Promise<void> {
    return this.pool.end();
  }
}

class PostgresConnection implements SendingConnection {
  #fault: Error | undefined;
  /** What the transaction began with, until it is answered well. */
  #begun: Promise<void> | undefined;
  /** Whose answers nobody has seen. */
  readonly #sent: Promise<unknown>[] = [];
  #mayBeCommitted = false;

  constructor(
    private readonly client: PoolClient,
    private readonly mayWrite: boolean,
  ) {
    client.on('error', this.#note);
  }

  /** Whether nothing can be asked any more, or an answer may still come that belongs to an earlier question. */
  get isBroken(): boolean {
    return this.#fault !== undefined;
  }

  /** Whether the server was asked to commit. */
  get mayBeCommitted(): boolean {
    return this.#mayBeCommitted;
  }

  /** Sends the statements that a transaction begins with; what `check` throws of their answers, all that follows throws. */
  begin(text: string, check: (answers: readonly Result[]) => void): void {
    const begun = this.run(text).then(check);
    this.#begun = begun;
    begun.then(
      () => {
        this.#begun = undefined;
      },
      () => {},
    );
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [begun, answer] = await Promise.allSettled([this.#begun, this.#ask(query)]);
    if (begun.status === 'rejected') throw begun.reason;
    if (answer.status === 'rejected') throw answer.reason;
    const { rows, rowCount, command } = answer.value;
    if (command === 'SELECT') return { rows };
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  send(query: CompiledQuery): void {
    const answer = this.#ask(query);
    answer.catch(() => {});
    this.#sent.push(answer);
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  /** Runs one statement or several; returns the answer to each. */
  async run(text: string): Promise<readonly Result[]> {
    try {
      return [await this.client.query(text)].flat();
    } catch (error) {
      // A transaction whose end was not answered must not be found by the next holder.
      this.#note(error as Error);
      throw failureOf(error);
    }
  }

  async commit(): Promise<void> {
    await this.#begun;
    this.#mayBeCommitted = true;
    const [end, ...sent] = await Promise.allSettled([this.run('COMMIT'), ...this.#sent]);
    if (end.status === 'rejected') throw end.reason;
    for (const answer of sent) if (answer.status === 'rejected') throw answer.reason;
    if (end.value[0]?.command !== 'COMMIT')
      throw new TacetError(
        'internal',
        'a transaction was committed in which a statement had failed',
      );
  }

  release(): void {
    this.client.off('error', this.#note);
    this.client.release(this.#fault);
  }

  async #ask({ sql, parameters }: CompiledQuery): Promise<Result> {
    if (!this.mayWrite && !READS.test(sql))
      throw new TacetError('internal', 'a statement that is no SELECT came to what only reads');
    try {
      return await this.client.query(sql, [...parameters]);
    } catch (error) {
      if (isLost(error)) this.#note(error as Error);
      throw failureOf(error);
    }
  }

  readonly #note = (fault: Error): void => {
    this.#fault ??= fault;
  };
}
