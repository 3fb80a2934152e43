import type { Catalog, CatalogTransaction, Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { clock } from '../catalog/sql-dialect.js';
import { send } from '../catalog/together.js';

/** The table is emptied where it has more. */
const MOST_SAMPLES = 512;
/** A server that has kept so many looks how many there are. */
const LOOKED_AFTER = 64;
/** Of what one transaction records so many are kept. */
const KEPT_TOGETHER = 128;
/** Every server has met what is older, or reads it from the segments. */
const RECENT_MS = 30_000;
/** Who reads the table is done sooner. */
const LOCK_MS = 200;

/** The points of a segment that stand for it, packed. */
export interface Sample {
  readonly segment: string;
  readonly points: Uint8Array;
}

/**
 * Samples of segments that were accepted a moment ago, for the other servers of the pool: to read each from its
 * segment would cost them more than comparing it. They stand in a table of PostgreSQL that no write-ahead log has, and so no
 * standby and no base backup; it is emptied, its file with it, where anything is withdrawn, where it is full, and where nothing
 * came for half a minute. What it lacks is read from the segments.
 */
export class RecentSamples {
  /** Since it was last looked how many there are. */
  #keptUnlooked = LOOKED_AFTER;

  constructor(
    private readonly catalog: Catalog,
    /** Whether there are other servers that could ask. */
    readonly isShared: boolean,
  ) {}

  async keep(transaction: CatalogTransaction, samples: readonly Sample[]): Promise<void> {
    const kept = samples.slice(0, KEPT_TOGETHER);
    if (!this.isShared || kept.length === 0) return;
    this.#keptUnlooked += kept.length;
    if (this.#keptUnlooked > LOOKED_AFTER) {
      const { rows, bytes } = await stateOf(transaction);
      // Rows that went without their file are as if they were there.
      if (rows > MOST_SAMPLES || (rows === 0 && bytes > 0)) await empty(transaction);
      this.#keptUnlooked = 0;
    }
    const added = clock(transaction);
    const insert = transaction
      .insertInto('recent_samples')
      .values(kept.map((sample) => ({ ...sample, added })))
      .onConflict((conflict) => conflict.doNothing());
    await send(transaction, insert.compile());
  }

  /** Of those of these segments that are there. */
  async find(segments: readonly string[]): Promise<Map<string, Uint8Array>> {
    if (!this.isShared || segments.length === 0) return new Map();
    const rows = await this.catalog.read
      .selectFrom('recent_samples')
      .select(['segment', 'points'])
      .where('segment', 'in', segments)
      .execute();
    return new Map(rows.map(({ segment, points }) => [segment, points]));
  }

  /** Within the transaction of a withdrawal. */
  async forget(transaction: CatalogTransaction): Promise<void> {
    if (this.catalog.isShared) await empty(transaction);
  }

  /** Where nothing came for a while. */
  async tidy(): Promise<void> {
    if (!this.isShared || !isForgotten(await stateOf(this.catalog.read))) return;
    await this.catalog.write(async (transaction) => {
      if (isForgotten(await stateOf(transaction))) await empty(transaction);
    });
  }
}

interface State {
  readonly rows: number;
  /** Of the file. */
  readonly bytes: number;
  /** Rows that came a short time ago. */
  readonly recent: number;
}

async function stateOf(statements: Statements): Promise<State> {
  const { rows } = await sql<State>`
    SELECT count(*) AS rows, pg_relation_size('recent_samples') AS bytes,
      count(*) FILTER (WHERE added > ${clock(statements)} - ${sql.lit(RECENT_MS)}) AS recent
    FROM recent_samples`.execute(statements);
  return rows[0] as State;
}

function isForgotten({ bytes, recent }: State): boolean {
  return bytes > 0 && recent === 0;
}

/** Who copies the database holds each of its tables for as long as that takes: then rows alone go, and their file another time. */
async function empty(transaction: CatalogTransaction): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    SELECT current_setting('lock_timeout') AS before`.execute(transaction);
  await sql`SAVEPOINT emptied`.execute(transaction);
  try {
    await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_MS)}`.execute(transaction);
    await sql`TRUNCATE recent_samples`.execute(transaction);
    await sql`SELECT set_config('lock_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(
      transaction,
    );
  } catch {
    await sql`ROLLBACK TO SAVEPOINT emptied`.execute(transaction);
    await transaction.deleteFrom('recent_samples').execute();
  }
  await sql`RELEASE SAVEPOINT emptied`.execute(transaction);
}
