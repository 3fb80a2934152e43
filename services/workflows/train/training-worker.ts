import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { failurePlaces } from '../../../platform/failure-places.js';
import { isThere } from '../../../platform/files/is-there.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { systemFailure } from '../../../platform/system-failure.js';
import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import { isPassing, JobLease } from '../../client/job-lease.js';
import { verifyEncodingModel } from '../../institution/bundles/encoding-model.js';
import type { Context } from '../context.js';
import { type JobMaterial, trainJob } from './job-training.js';

/** A process that trains what is asked of a pool. */
export interface TrainingWorker extends JobMaterial {
  /** Directories of the representation bundles whose snapshots it can train on. */
  readonly models: readonly string[];
  /** A folder of this worker, where runs lie while they train. */
  readonly directory: string;
  /** Between two questions whether there is a job. */
  readonly pollMs: number;
  /** Ends where there is no job, instead of waiting for one. */
  readonly untilIdle: boolean;
}

/** A job that this worker had, and how that ended. */
export interface WorkedJob {
  readonly id: string;
  readonly end: 'done' | 'failed' | 'released' | 'lost';
  /** Where what was trained lies, unless it was published. */
  readonly directory?: string | undefined;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

interface WatchedWork extends Work {
  /** Is told of what nobody expected and of memory that is full, and throws it where that was once too often. */
  fault(error: unknown): void;
}

/** After so many jobs that failed as nobody expected, or for want of memory, and none that was done in between, the machine may be at fault. */
const MOST_FAULTS = 5;

/** What is wrong with this machine, or with what it was told, and not with the job: another worker may do it. */
const OWN_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['disk-full', 'disk-failed', 'file-unwritable', 'file-denied', 'file-exists'] as const),
  ...(['too-many-files', 'run-busy', 'file-not-found', 'embeddings-invalid'] as const),
  ...(['addon-missing', 'backend-missing', 'unauthorized', 'forbidden'] as const),
  ...(['key-untrusted', 'signature-invalid', 'quota-exceeded', 'store-full'] as const),
]);

/**
 * Claims and trains one job after another, until a signal, or until there is none. A signal lets go of the job at
 * hand after the current step. A failure of the job is told to the pool by its code, and the next job follows; one
 * of this machine lets go of the job and is thrown. So is what nobody expected, or `memory-full`, where it comes again
 * and again: the job may be too large, or the machine too small. A job to be published under a name that this worker
 * publishes nothing under fails with `forbidden` and is not trained.
 */
export async function workOnJobs(worker: TrainingWorker, work: Work): Promise<WorkedJob[]> {
  const { signal, say } = work;
  const { pool, directory, pollMs, untilIdle } = worker;
  const models = await modelsOf(worker, work);
  makeFolders(directory);
  const worked: WorkedJob[] = [];
  let faults = 0;
  const fault = (error: unknown) => {
    if (++faults === MOST_FAULTS) throw error;
  };
  while (!signal.aborted) {
    const lease = await claimed(pool, [...models.keys()], work);
    if (lease) {
      const bundle = models.get(lease.job.model) as string;
      const one = await workOn(lease, bundle, worker, { ...work, fault });
      if (one.end === 'done') faults = 0;
      say(
        `job ${one.id}: ${one.end}${one.directory ? `; what was trained is in ${one.directory}` : ''}`,
      );
      worked.push(one);
      if (one.end !== 'released') continue;
    } else if (untilIdle) break;
    await delay(pollMs, undefined, { signal }).catch(() => {});
  }
  return worked;
}

/** By digest. Throws before anything is claimed what would make every job fail. */
async function modelsOf(
  { models, trust, embeddings: source }: TrainingWorker,
  work: Work,
): Promise<ReadonlyMap<string, string>> {
  const embeddings = await openEmbeddings(source, work);
  const found = new Map<string, string>();
  for (const directory of models) {
    const { digest } = await verifyEncodingModel(directory, { ...trust, embeddings });
    found.set(digest, directory);
  }
  return found;
}

/** Undefined where there is none, or where the pool is away, or has no room, for a while. */
async function claimed(
  pool: ServiceClient,
  models: readonly string[],
  { signal, say }: Work,
): Promise<JobLease | undefined> {
  try {
    return await JobLease.claim(pool, models, { signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const isFull = error instanceof TacetError && error.code === 'store-full';
    if (!isPassing(error) && !isFull) throw error;
    say(`${(error as TacetError).message}; asking again`);
    return undefined;
  }
}

async function workOn(
  lease: JobLease,
  bundle: string,
  worker: TrainingWorker,
  work: WatchedWork,
): Promise<WorkedJob> {
  const { id, name } = lease.job;
  const { publishing } = worker;
  if (publishing && !publishing.names.includes(name)) {
    await lease.fail('forbidden').catch(() => {});
    work.say(`job ${id}: forbidden: this worker publishes nothing as ${name} (--publish-as)`);
    return { id, end: 'failed' };
  }
  const directory = await mkdtemp(path.join(worker.directory, `${id}-`));
  let isKept = false;
  try {
    const { published } = await trainJob(lease, { ...worker, bundle, directory }, work);
    isKept = published === null;
    return { id, end: 'done', ...(isKept && { directory }) };
  } catch (error) {
    const end = await endOf(lease, systemFailure(error) ?? error, work);
    // Trained, and refused by the registry.
    isKept = end === 'failed' && (await isThere(path.join(directory, 'run', 'manifest.json')));
    return { id, end, ...(isKept && { directory }) };
  } finally {
    lease.drop();
    if (!isKept) await rm(directory, { recursive: true, force: true });
  }
}

/** Tells the pool; throws what the next job would meet too. */
async function endOf(
  lease: JobLease,
  error: unknown,
  { signal, say, fault }: WatchedWork,
): Promise<WorkedJob['end']> {
  const { id } = lease.job;
  if (lease.lost.aborted) {
    say(`job ${id}: ${lease.lost.reason?.message ?? "it is not this worker's any more"}`);
    return 'lost';
  }
  const isExpected = error instanceof TacetError;
  const code = isExpected ? error.code : 'internal';
  if (signal.aborted || isPassing(error) || OWN_FAILURES.has(code)) {
    // Where the pool does not hear it, the end of the lease lets go of the job.
    await lease.release().catch(() => {});
    if (!signal.aborted && !isPassing(error)) throw error;
    if (isPassing(error)) say(`job ${id}: ${(error as TacetError).message}`);
    return 'released';
  }
  await lease.fail(code).catch(() => {});
  if (!isExpected || code === 'memory-full') fault(error);
  say(`job ${id}: ${code}: ${isExpected ? error.message : failurePlaces(error).join(', ')}`);
  return 'failed';
}
