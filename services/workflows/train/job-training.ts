import type { KeyObject } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Trust } from '../../../models/bundle/verify.js';
import { configOfKind } from '../../../models/training/configuration/config-of-kind.js';
import { packRun, unpackRun } from '../../../models/training/run/run-archive.js';
import type { JobResult, TrainingJob } from '../../../pool-store/training/training-job.js';
import { sha256Hex } from '../../../proto/digest.js';
import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import type { JobLease } from '../../client/job-lease.js';
import { publish } from '../../client/publish.js';
import type { Context } from '../context.js';
import { createSignedBundle } from '../signed-bundle.js';
import { trainPooledRun } from './pooled-run.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

/** Where what was trained is published, who signs it, and under which names alone. */
export interface Publishing {
  readonly registry: ServiceClient;
  readonly keys: readonly KeyObject[];
  readonly names: readonly string[];
}

/** What a worker has for every job. */
export interface JobMaterial {
  readonly pool: ServiceClient;
  readonly trust: Trust;
  /** File of the word vectors that its bundles name, or `wink`. */
  readonly embeddings: string;
  readonly publishing?: Publishing | undefined;
}

/** Where a job is trained, and with what. */
export interface JobTraining extends JobMaterial {
  /** The representation bundle that encoded its snapshot. */
  readonly bundle: string;
  /** An empty folder. */
  readonly directory: string;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/** What a checkpoint may be that the one before it stands in for. */
const UNUSABLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['store-damaged', 'digest-mismatch', 'checkpoint-invalid', 'not-found'] as const),
]);

/**
 * Trains a claimed job as `trainPooledRun` does, from its newest checkpoint on; gives the pool a checkpoint after each
 * epoch, publishes what came of it where that is asked for, and finishes the job.
 */
export async function trainJob(
  lease: JobLease,
  { pool, trust, embeddings, publishing, bundle: model, directory }: JobTraining,
  { signal: stop, progress, say }: Work,
): Promise<JobResult> {
  const { job } = lease;
  const { id, snapshot, name, version } = job;
  const signal = AbortSignal.any([stop, lease.lost]);
  const run = path.join(directory, 'run');
  const archive = path.join(directory, 'checkpoint');
  const from = await resumeFrom(lease, { run, archive }, say);
  say(`job ${id}: ${from === 0 ? 'training from the beginning' : `going on after epoch ${from}`}`);
  const epochKept = async (epoch: number) => {
    const packed = await packRun(run, archive);
    await lease.saveCheckpoint(archive, { ...packed, epoch });
    await rm(archive);
    say(`job ${id}: epoch ${epoch} is kept by the pool`);
  };
  const task = {
    ...{ pool, snapshot, model, trust, embeddings, name, version, epochKept },
    scheme: job.scheme ?? undefined,
    config: configOfKind(job.config, `the configuration of job ${id}`, 'pooled'),
    directory: run,
    resume: from > 0,
  };
  const { stage, scores, bundle } = await trainPooledRun(task, { signal, progress });
  const work = { signal, progress };
  const bundled = path.join(directory, 'bundle');
  const published = publishing && (await publishJob(job, bundle, bundled, publishing, work));
  const { epochs, bestEpoch } = stage;
  const weights = sha256Hex(await readFile(bundle.weights));
  const result = { epochs, bestEpoch, weights, scores, published: published ?? null };
  await lease.finish(result);
  return result;
}

/** The epoch that the run goes on after; 0 where it begins. */
async function resumeFrom(
  lease: JobLease,
  { run, archive }: { readonly run: string; readonly archive: string },
  say: Work['say'],
): Promise<number> {
  for (const checkpoint of lease.job.checkpoints) {
    try {
      await lease.loadCheckpoint(checkpoint, archive);
      await unpackRun(archive, run);
      return checkpoint.epoch;
    } catch (error) {
      if (!(error instanceof TacetError) || !UNUSABLE.has(error.code)) throw error;
      await rm(run, { recursive: true, force: true });
      say(`job ${lease.job.id}: the checkpoint of epoch ${checkpoint.epoch}: ${error.message}`);
    } finally {
      await rm(archive, { force: true });
    }
  }
  return 0;
}

/** Dated as the job is: who finishes it after this worker was lost publishes the same bytes, which changes nothing. */
async function publishJob(
  { created, name, version }: TrainingJob,
  bundle: UnsignedBundle,
  directory: string,
  { registry, keys }: Publishing,
  work: Pick<Work, 'signal' | 'progress'>,
): Promise<JobResult['published']> {
  await createSignedBundle(directory, bundle, { keys, created: new Date(created) });
  const { digest } = await publish(directory, registry, work);
  return { digest, name, version };
}
