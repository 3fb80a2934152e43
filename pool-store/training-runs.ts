import { Type } from 'typebox';
import { DIGEST, NAME, TIME } from '../proto/schemas.js';
import { closedObject, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { countOf, type Listing } from './listing.js';
import type { Snapshots } from './snapshots.js';

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
  register(snapshot: string, { run, name, version }: NewRun, trainer: string): TrainingRun {
    return inTransaction(this.catalog, () => {
      const { id } = this.snapshots.getReadable(snapshot);
      const changes = this.catalog.run(
        'INSERT OR IGNORE INTO training_runs VALUES (?, ?, ?, ?, ?, ?)',
        id,
        run,
        name,
        version,
        trainer,
        now(),
      );
      if (changes > 0) this.log.append('snapshot-used', id, { run, name, version, trainer });
      const found = this.of(id).find((one) => one.run === run && one.trainer === trainer);
      return found as TrainingRun;
    });
  }

  /** Oldest first; also those of a snapshot that was withdrawn since. Throws `not-found`. */
  of(snapshot: string): TrainingRun[] {
    this.snapshots.requireKnown(snapshot);
    return this.catalog.all<TrainingRun>(
      `SELECT run, name, version, trainer, begun FROM training_runs
         WHERE snapshot = ? ORDER BY begun, run`,
      snapshot,
    );
  }

  /** The snapshots that hold a contribution, newest first, at most `limit`. */
  usesOf(contribution: string, limit: number): Listing<Use> {
    const from = `FROM snapshot_contributions JOIN snapshots ON snapshots.id = snapshot
      WHERE contribution = ?`;
    const rows = this.catalog
      .all<Omit<Use, 'runs'>>(
        `SELECT snapshot, created ${from} ORDER BY created DESC, snapshot LIMIT ?`,
        contribution,
        limit,
      )
      .map((use) => ({ ...use, runs: this.of(use.snapshot) }));
    return { rows, total: countOf(this.catalog, from, contribution) };
  }
}
