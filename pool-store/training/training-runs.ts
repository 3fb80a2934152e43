import { TacetError } from '../../proto/errors.js';
import { COUNT, DIGEST, NAME, TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, now, type Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import {
  atMost,
  countOf,
  isBehind,
  type Listing,
  type ListPart,
  type ListPlace,
} from '../catalog/listing.js';
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
    /** The first hundred. */
    runs: Type.Array(TRAINING_RUN),
    runCount: COUNT,
  },
  { title: 'Use' },
);

/** A snapshot that holds a contribution, and the training runs that read it. */
export type Use = TypeOf<typeof USE>;

/** Some of the snapshots that hold a contribution, and how many runs read any of them. */
export interface Uses extends Listing<Use> {
  readonly runs: number;
}

const RUNS_OF_USE = 100;

/** Which training runs used which snapshot. */
export class TrainingRuns {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
    readonly snapshots: Snapshots,
  ) {}

  /**
   * Registers a run, once `admit` has let it pass; registering it again changes nothing. Throws `not-found` or
   * `withdrawn`, of the snapshot, or `too-many-kept` where the trainer has registered `most` runs on it.
   */
  register(
    snapshot: string,
    { run, name, version }: NewRun,
    trainer: string,
    most = Number.POSITIVE_INFINITY,
    admit = () => {},
  ): Promise<TrainingRun> {
    return this.catalog.write(async (transaction) => {
      await this.snapshots.requireReadable(snapshot, transaction);
      const known = await runsOf(transaction, snapshot)
        .where('run', '=', run)
        .where('trainer', '=', trainer)
        .executeTakeFirst();
      if (known) return known;
      admit();
      const count = await countOf(
        transaction,
        sql`FROM training_runs WHERE snapshot = ${snapshot} AND trainer = ${trainer}`,
      );
      if (count >= most)
        throw new TacetError(
          'too-many-kept',
          `${count} training runs of ${trainer} used snapshot ${snapshot}, and no more may; ask the operator of ` +
            'the pool for more (--snapshot-runs)',
        );
      const begun = now();
      await transaction
        .insertInto('training_runs')
        .values({ snapshot, run, name, version, trainer, begun })
        .execute();
      await this.log.append(transaction, 'snapshot-used', snapshot, {
        ...{ run, name, version, trainer },
      });
      return { run, name, version, trainer, begun };
    });
  }

  /** Oldest first (`runPlace`); also those of a snapshot that was withdrawn since. Throws `not-found`. */
  async of(snapshot: string, { after, limit }: ListPart = {}): Promise<TrainingRun[]> {
    const { read } = this.catalog;
    await this.snapshots.requireKnown(snapshot, read);
    const { rows } = await sql<TrainingRun>`
      SELECT run, name, version, trainer, begun FROM training_runs
      WHERE snapshot = ${snapshot} AND ${isBehind(after, 'begun', 'run', 'trainer')}
      ORDER BY begun, run, trainer ${atMost(limit)}`.execute(read);
    return rows;
  }

  /** How many runs used a snapshot. */
  count(snapshot: string): Promise<number> {
    return countOf(this.catalog.read, sql`FROM training_runs WHERE snapshot = ${snapshot}`);
  }

  /** The snapshots that hold a contribution, at most `limit`: those with runs first, the newest of either first. */
  async usesOf(contribution: string, limit: number): Promise<Uses> {
    const { read } = this.catalog;
    const from = sql`FROM snapshot_contributions JOIN snapshots ON snapshots.id = snapshot
      WHERE contribution = ${contribution}`;
    const runs = sql`FROM training_runs WHERE training_runs.snapshot = snapshots.id`;
    const found = await sql<Omit<Use, 'runs'>>`
      SELECT snapshot, created, (SELECT count(*) ${runs}) AS "runCount" ${from}
      ORDER BY CASE WHEN EXISTS (SELECT 1 ${runs}) THEN 0 ELSE 1 END, created DESC, snapshot
      LIMIT ${limit}`.execute(read);
    const rows: Use[] = [];
    for (const use of found.rows)
      rows.push({ ...use, runs: await this.of(use.snapshot, { limit: RUNS_OF_USE }) });
    const all = sql`FROM snapshot_contributions JOIN training_runs
      ON training_runs.snapshot = snapshot_contributions.snapshot
      WHERE contribution = ${contribution}`;
    return { rows, total: await countOf(read, from), runs: await countOf(read, all) };
  }
}

/** Where a run stands among those of its snapshot. */
export function runPlace({ begun, run, trainer }: TrainingRun): ListPlace {
  return { time: begun, id: `${run} ${trainer}` };
}

function runsOf(statements: Statements, snapshot: string) {
  return statements
    .selectFrom('training_runs')
    .select(['run', 'name', 'version', 'trainer', 'begun'])
    .where('snapshot', '=', snapshot);
}
