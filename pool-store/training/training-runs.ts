import { sql } from 'kysely';
import { Type } from 'typebox';
import { DIGEST, NAME, TIME } from '../../proto/schemas.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, now, type Statements } from '../catalog/catalog.js';
import { countOf, type Listing } from '../catalog/listing.js';
import type { ChangeLog } from '../log/change-log.js';
import type { Snapshots } from '../snapshots/snapshots.js';

export const NEW_RUN = closedObject({
  /** SHA-256 of the run's configuration. */
  run: DIGEST,
  /** Of the model that the run is to make. */
  name: NAME,
  version: NAME,
});

/** What a trainer says of a run before it reads a snapshot. */
export type NewRun = TypeOf<typeof NEW_RUN>;

export const TRAINING_RUN = closedObject(
  {
    ...NEW_RUN.properties,
    /** The name of the token that registered it. */
    trainer: NAME,
    begun: TIME,
  },
  { title: 'TrainingRun' },
);

/** A training run that used a snapshot. */
export type TrainingRun = TypeOf<typeof TRAINING_RUN>;

export const USE = closedObject(
  {
    snapshot: DIGEST,
    created: TIME,
    runs: Type.Array(TRAINING_RUN),
  },
  { title: 'Use' },
);

/** A snapshot that holds a contribution, and the training runs that read it. */
export type Use = TypeOf<typeof USE>;

/** Which training runs used which snapshot. */
export class TrainingRuns {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
    readonly snapshots: Snapshots,
  ) {}

  /** Registering a run again changes nothing. Throws `not-found` or `withdrawn`. */
  register(
    snapshot: string,
    { run, name, version }: NewRun,
    trainer: string,
  ): Promise<TrainingRun> {
    return this.catalog.write(async (transaction) => {
      const { id } = await this.snapshots.getReadable(snapshot, transaction);
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('training_runs')
        .values({ snapshot: id, run, name, version, trainer, begun: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 0n)
        await this.log.append(transaction, 'snapshot-used', id, { run, name, version, trainer });
      const runs = await this.of(id, transaction);
      return runs.find((one) => one.run === run && one.trainer === trainer) as TrainingRun;
    });
  }

  /** Oldest first; also those of a snapshot that was withdrawn since. Throws `not-found`. */
  async of(snapshot: string, statements: Statements = this.catalog.read): Promise<TrainingRun[]> {
    await this.snapshots.requireKnown(snapshot, statements);
    return statements
      .selectFrom('training_runs')
      .select(['run', 'name', 'version', 'trainer', 'begun'])
      .where('snapshot', '=', snapshot)
      .orderBy('begun')
      .orderBy('run')
      .execute();
  }

  /** The snapshots that hold a contribution, newest first, at most `limit`. */
  async usesOf(contribution: string, limit: number): Promise<Listing<Use>> {
    const { read } = this.catalog;
    const from = sql`FROM snapshot_contributions JOIN snapshots ON snapshots.id = snapshot
      WHERE contribution = ${contribution}`;
    const found = await sql<Omit<Use, 'runs'>>`
      SELECT snapshot, created ${from} ORDER BY created DESC, snapshot LIMIT ${limit}`.execute(
      read,
    );
    const rows: Use[] = [];
    for (const use of found.rows) rows.push({ ...use, runs: await this.of(use.snapshot) });
    return { rows, total: await countOf(read, from) };
  }
}
