import { randomUUID } from 'node:crypto';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import { currentTime } from '../catalog/catalog-clock.js';
import type { CatalogTables } from '../catalog/catalog-tables.js';
import { type Selectable, sql, type Updateable } from '../catalog/kysely.js';
import { atMost, countOf, isBehind, type ListPart } from '../catalog/listing.js';
import type { ChangeLog } from '../log/change-log.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { Checkpoint, ClaimedJob, JobResult, NewJob, TrainingJob } from './training-job.js';

/** An older one is for where the newest is damaged. */
const KEPT_CHECKPOINTS = 2;
/** A job that ended so many workers in a row, without an epoch between, ends the next one too. */
const MOST_CLAIMS = 5;

type JobRow = Selectable<CatalogTables['jobs']>;

/** Whose jobs a worker can train, and for how long it has one without a word from it. */
export interface Claim {
  /** The name of its token. */
  readonly worker: string;
  /** Digests of the representations that it has. */
  readonly models: readonly string[];
  readonly milliseconds: number;
}

/** A claim as its holder names it. */
export interface HeldJob {
  readonly id: string;
  readonly lease: string;
}

/** A job after a change, and the checkpoints that nothing names any more. */
export interface ChangedJob {
  readonly job: TrainingJob;
  readonly dropped: readonly string[];
}

/**
 * Trainings that somebody asked for, each of which one worker at a time has, until its lease ends by the clock
 * of the catalog. Who claims a job gets a new lease, so whoever had it before is told so (`lease-lost`) and
 * changes nothing.
 */
export class TrainingJobs {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
    readonly snapshots: Snapshots,
  ) {}

  /**
   * Asks for a training, once `admit` has let it pass; asking again for one that has not ended changes nothing. Throws
   * `not-found` or `withdrawn`, of the snapshot, or `too-many-waiting` where so many of the asker wait already.
   */
  create(
    { snapshot, name, version, scheme, config: keys }: NewJob,
    asker: string,
    mostWaiting = Number.POSITIVE_INFINITY,
    admit = () => {},
  ): Promise<TrainingJob> {
    const config = JSON.stringify(keys);
    return this.catalog.write(async (transaction) => {
      const { modelDigest: model } = await this.snapshots.getReadable(snapshot, transaction);
      const asked = { snapshot, model, name, version, scheme: scheme ?? null, asker, config };
      const same = await openRowLike(transaction, asked);
      if (same) return jobOf(same, transaction);
      admit();
      const waiting = await countOf(
        transaction,
        sql`FROM jobs WHERE state = 'queued' AND asker = ${asker}`,
      );
      if (waiting >= mostWaiting)
        throw new TacetError(
          'too-many-waiting',
          `${waiting} training jobs of ${asker} wait for a worker, and no more may; wait until one is taken, or cancel ` +
            'some (tacet job list, cancel)',
        );
      const id = randomUUID();
      await transaction
        .insertInto('jobs')
        .values({ id, ...asked, created: now() })
        .execute();
      await this.log.append(transaction, 'job-created', id, { snapshot, name, version, asker });
      return this.get(id, transaction);
    });
  }

  /** Oldest first. */
  async list({ after, limit }: ListPart = {}): Promise<TrainingJob[]> {
    const { read } = this.catalog;
    const { rows } = await sql<JobRow>`
      SELECT * FROM jobs WHERE ${isBehind(after, 'created', 'id')}
      ORDER BY created, id ${atMost(limit)}`.execute(read);
    return Promise.all(rows.map((row) => jobOf(row, read)));
  }

  /** Throws `not-found`. */
  async get(id: string, statements: Statements = this.catalog.read): Promise<TrainingJob> {
    return jobOf(await rowOf(id, statements), statements);
  }

  /** Cancelling it again changes nothing. Throws `not-found`, and `conflict` where it ended otherwise. */
  cancel(id: string, by: string): Promise<ChangedJob> {
    return this.catalog.write(async (transaction) => {
      const { state } = await rowOf(id, transaction);
      if (state === 'cancelled') return { job: await this.get(id, transaction), dropped: [] };
      if (state === 'done' || state === 'failed')
        throw new TacetError('conflict', `training job ${id} is ${state} and cannot be cancelled`);
      return this.#end(transaction, id, { state: 'cancelled' }, { by });
    });
  }

  /**
   * The oldest job of these models that nobody has, or whose lease ran out, once `admit` has let it be claimed; undefined
   * where there is none. One that ended too many workers fails with `job-abandoned`.
   */
  async claim(
    claim: Claim,
    admit = () => {},
  ): Promise<(ChangedJob & Partial<ClaimedJob>) | undefined> {
    // Workers ask all the time; who writes makes all others wait.
    if (!(await nextRow(this.catalog.read, claim))) return undefined;
    return this.catalog.write(async (transaction) => {
      const row = await nextRow(transaction, claim);
      if (!row) return undefined;
      admit();
      const { id, claims, begun } = row;
      const { worker, milliseconds } = claim;
      if (claims >= MOST_CLAIMS) {
        const end = { state: 'failed', failure: 'job-abandoned' } as const;
        return this.#end(transaction, id, end, { code: end.failure });
      }
      const holder = randomUUID();
      const ends = (await currentTime(transaction)) + milliseconds;
      await update(transaction, id, {
        ...{ state: 'running', holder, worker, ends, claims: claims + 1, begun: begun ?? now() },
      });
      await this.log.append(transaction, 'job-claimed', id, { worker });
      const job = await this.get(id, transaction);
      return { job, dropped: [], lease: { id: holder, milliseconds } };
    });
  }

  /** Throws `lease-lost`. */
  prolong({ id, lease }: HeldJob, milliseconds: number): Promise<TrainingJob> {
    return this.catalog.write(async (transaction) => {
      await heldRow(transaction, { id, lease });
      const ends = (await currentTime(transaction)) + milliseconds;
      await update(transaction, id, { ends });
      return this.get(id, transaction);
    });
  }

  /** Lets go of a job, for another worker. Throws `lease-lost`. */
  release({ id, lease }: HeldJob): Promise<TrainingJob> {
    return this.catalog.write(async (transaction) => {
      const { worker, claims } = await heldRow(transaction, { id, lease });
      await update(transaction, id, {
        state: 'queued',
        holder: null,
        ends: null,
        claims: claims - 1,
      });
      await this.log.append(transaction, 'job-released', id, { worker });
      return this.get(id, transaction);
    });
  }

  /** Finishing it again with the same lease changes nothing. Throws `lease-lost`. */
  finish(held: HeldJob, result: JobResult): Promise<ChangedJob> {
    const end = { state: 'done', result: JSON.stringify(result) } as const;
    const { weights, published } = result;
    return this.#endHeld(held, end, { weights, model: published?.digest ?? null });
  }

  /** Failing it again with the same lease changes nothing. Throws `lease-lost`. */
  fail(held: HeldJob, code: ErrorCode): Promise<ChangedJob> {
    return this.#endHeld(held, { state: 'failed', failure: code }, { code });
  }

  /** Throws `lease-lost` where nobody may change the job by this lease. */
  async requireHeld(held: HeldJob): Promise<void> {
    await heldRow(this.catalog.read, held);
  }

  /** Records a checkpoint whose blob is there; the newest two of a job are kept. Throws `lease-lost`. */
  addCheckpoint(
    { id, lease }: HeldJob,
    { digest, epoch }: Pick<Checkpoint, 'digest' | 'epoch'>,
  ): Promise<ChangedJob> {
    return this.catalog.write(async (transaction) => {
      await heldRow(transaction, { id, lease });
      await transaction
        .insertInto('job_checkpoints')
        .values({ job: id, digest, epoch })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await update(transaction, id, { claims: 1 });
      // A later one is what a worker could not go on from.
      const others = (await checkpointsOf(transaction, id)).filter((one) => one.digest !== digest);
      const earlier = others.filter((one) => one.epoch < epoch).slice(0, KEPT_CHECKPOINTS - 1);
      const dropped = others.filter((one) => !earlier.includes(one)).map((one) => one.digest);
      for (const one of dropped)
        await transaction
          .deleteFrom('job_checkpoints')
          .where('job', '=', id)
          .where('digest', '=', one)
          .execute();
      return { job: await this.get(id, transaction), dropped };
    });
  }

  /** How many jobs there are in each state that some are in. */
  count(): Promise<{ state: TrainingJob['state']; jobs: number }[]> {
    return this.catalog.read
      .selectFrom('jobs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('jobs')])
      .groupBy('state')
      .execute();
  }

  #endHeld(
    held: HeldJob,
    end: End,
    details: Readonly<Record<string, unknown>>,
  ): Promise<ChangedJob> {
    return this.catalog.write(async (transaction) => {
      const { id, lease } = held;
      const { state, holder } = await rowOf(id, transaction);
      // The answer to the first time may have been lost.
      if (holder === lease && state === end.state)
        return { job: await this.get(id, transaction), dropped: [] };
      await heldRow(transaction, held);
      return this.#end(transaction, id, end, details);
    });
  }

  async #end(
    transaction: CatalogTransaction,
    id: string,
    end: End,
    details: Readonly<Record<string, unknown>>,
  ): Promise<ChangedJob> {
    await update(transaction, id, { ...end, ended: now(), ends: null });
    const checkpoints = await checkpointsOf(transaction, id);
    await transaction.deleteFrom('job_checkpoints').where('job', '=', id).execute();
    await this.log.append(transaction, `job-${end.state}`, id, details);
    return {
      job: await this.get(id, transaction),
      dropped: checkpoints.map(({ digest }) => digest),
    };
  }
}

type End = Pick<Updateable<CatalogTables['jobs']>, 'failure' | 'result'> & {
  readonly state: 'done' | 'failed' | 'cancelled';
};

async function rowOf(id: string, statements: Statements): Promise<JobRow> {
  const row = await statements
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return row;
  throw new TacetError('not-found', `there is no training job ${id}`);
}

/** A job that waits or goes on and was asked for in the very same way. */
function openRowLike(
  statements: Statements,
  asked: Pick<JobRow, 'snapshot' | 'name' | 'version' | 'scheme' | 'asker' | 'config'>,
): Promise<JobRow | undefined> {
  return statements
    .selectFrom('jobs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .where('snapshot', '=', asked.snapshot)
    .where('name', '=', asked.name)
    .where('version', '=', asked.version)
    .where('scheme', asked.scheme === null ? 'is' : '=', asked.scheme)
    .where('asker', '=', asked.asker)
    .where('config', '=', asked.config)
    .executeTakeFirst();
}

/** A lease that ran out holds on until another claims the job: nothing was lost meanwhile. */
async function heldRow(statements: Statements, { id, lease }: HeldJob): Promise<JobRow> {
  const row = await rowOf(id, statements);
  if (row.state === 'running' && row.holder === lease) return row;
  const why = row.state === 'running' ? 'another worker has it' : `it is ${row.state}`;
  throw new TacetError('lease-lost', `training job ${id}: ${why}; stop working on it`);
}

async function nextRow(statements: Statements, { models }: Claim): Promise<JobRow | undefined> {
  if (models.length === 0) return undefined;
  const time = await currentTime(statements);
  return statements
    .selectFrom('jobs')
    .selectAll()
    .where('model', 'in', models)
    .where(({ or, eb, and }) =>
      or([eb('state', '=', 'queued'), and([eb('state', '=', 'running'), eb('ends', '<=', time)])]),
    )
    .orderBy('created')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function update(
  transaction: CatalogTransaction,
  id: string,
  changes: Updateable<CatalogTables['jobs']>,
): Promise<void> {
  await transaction.updateTable('jobs').set(changes).where('id', '=', id).execute();
}

/** Newest first. */
async function checkpointsOf(statements: Statements, job: string): Promise<Checkpoint[]> {
  const { rows } = await sql<Checkpoint>`
    SELECT job_checkpoints.digest, epoch, bytes
    FROM job_checkpoints JOIN blobs ON blobs.digest = job_checkpoints.digest
    WHERE job = ${job} ORDER BY epoch DESC, job_checkpoints.digest`.execute(statements);
  return rows;
}

async function jobOf(row: JobRow, statements: Statements): Promise<TrainingJob> {
  const { holder: _, claims: __, ends, config, result, ...facts } = row;
  return {
    ...facts,
    config: JSON.parse(config),
    leaseEnds: ends === null ? null : new Date(ends).toISOString(),
    // Of those that ended, however many they are, there are none.
    checkpoints: row.ended === null ? await checkpointsOf(statements, row.id) : [],
    result: result === null ? null : JSON.parse(result),
  };
}
