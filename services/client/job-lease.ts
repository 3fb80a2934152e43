import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  CLAIMED_JOB,
  type ClaimedJob,
  type JobResult,
  MAX_CHECKPOINT_BYTES,
  type TrainingJob,
} from '../../pool-store/training/training-job.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import { validator } from '../../proto/validator.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

/**
 * What a pool answers that is restarted or upgraded, whose catalog or bucket is away for a while, or one of whose servers its
 * bucket refuses, until its clock or its credentials are set right.
 */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['server-unreachable', 'server-failed', 'catalog-unreachable', 'outcome-unknown'] as const),
  ...(['store-unavailable', 'store-version', 'store-busy', 'rate-limited'] as const),
  ...(['clock-wrong', 'bucket-denied', 'bucket-missing', 'bucket-unsuitable'] as const),
]);
/** Its id becomes a name of a folder here. */
const checkClaim = validator(CLAIMED_JOB, 'server-failed', 'what the pool says of a claimed job');
const RETRY_MS = 1000;
/** Of the lease, between two prolongations. */
const BEAT_SHARE = 1 / 4;

type Step = (typeof PATHS)[
  | 'trainingJobProlongation'
  | 'trainingJobRelease'
  | 'trainingJobEnd'
  | 'trainingJobFailure'];

/** Whether a failure of a pool passes by itself. */
export function isPassing(error: unknown): boolean {
  return error instanceof TacetError && PASSING.has(error.code);
}

/**
 * A training job that this process claimed of a pool, prolonged until it is let go of. What the pool cannot take for a
 * while is said again while the lease holds.
 */
export class JobLease {
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  /** Until when nobody else can have claimed it, by the clock of `performance`. */
  #endsMs: number;

  private constructor(
    readonly pool: ServiceClient,
    readonly claimed: ClaimedJob,
    askedMs: number,
  ) {
    this.#endsMs = askedMs + claimed.lease.milliseconds;
    void this.#prolong();
  }

  /** Claims the oldest free job of these models; undefined where there is none. */
  static async claim(
    pool: ServiceClient,
    models: readonly string[],
    options: CallOptions,
  ): Promise<JobLease | undefined> {
    const askedMs = performance.now();
    const path = PATHS.trainingJobClaims;
    const answer = await pool.json<unknown>('POST', path, { models }, options);
    return answer === undefined ? undefined : new JobLease(pool, checkClaim(answer), askedMs);
  }

  get job(): TrainingJob {
    return this.claimed.job;
  }

  /** Aborted, with the reason, where the job is not this process's any more: it stops then. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Writes the bytes of a checkpoint to a new file. Throws `digest-mismatch`, `server-failed` or `store-damaged`. */
  loadCheckpoint({ digest, bytes }: Checkpoint, file: string): Promise<void> {
    const path = pathTo(PATHS.trainingJobCheckpoint, { id: this.job.id, digest });
    const mostBytes = Math.min(bytes, MAX_CHECKPOINT_BYTES);
    return this.pool.saveTo(file, path, digest, { mostBytes, signal: this.lost });
  }

  /** Keeps a file as the state after an epoch. */
  async saveCheckpoint(file: string, { digest, epoch, bytes }: Checkpoint): Promise<void> {
    const { id } = this.job;
    const query = `lease=${this.claimed.lease.id}&epoch=${epoch}&bytes=${bytes}`;
    const path = `${pathTo(PATHS.trainingJobCheckpoint, { id, digest })}?${query}`;
    await this.#patiently(() => this.pool.putFile(path, file, { signal: this.lost }));
  }

  finish(result: JobResult): Promise<TrainingJob> {
    return this.#end(PATHS.trainingJobEnd, { result });
  }

  fail(code: ErrorCode): Promise<TrainingJob> {
    return this.#end(PATHS.trainingJobFailure, { code });
  }

  /** Lets another worker have it at once. */
  release(): Promise<TrainingJob> {
    return this.#end(PATHS.trainingJobRelease, {});
  }

  /** Speaks of it no more, so that another worker may have it once the lease ends. */
  drop(): void {
    this.#ended.abort();
  }

  #end(path: Step, said: object): Promise<TrainingJob> {
    // What is prolonged after its end would count as lost.
    this.drop();
    return this.#patiently(() => this.#say(path, said));
  }

  #say(path: Step, said: object): Promise<TrainingJob> {
    const body = { lease: this.claimed.lease.id, ...said };
    return this.pool.json<TrainingJob>('POST', pathTo(path, { id: this.job.id }), body, {
      signal: this.lost,
    });
  }

  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof TacetError && error.code === 'lease-lost') this.#lost.abort(error);
        this.lost.throwIfAborted();
        if (!isPassing(error) || performance.now() > this.#endsMs) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  /** To the end of the lease's time, or of this process's work on it. */
  async #prolong(): Promise<void> {
    const { milliseconds } = this.claimed.lease;
    for (;;) {
      await delay(milliseconds * BEAT_SHARE, undefined, { signal: this.#ended.signal }).catch(
        () => {},
      );
      if (this.#ended.signal.aborted) return;
      const askedMs = performance.now();
      try {
        await this.#say(PATHS.trainingJobProlongation, {});
        this.#endsMs = askedMs + milliseconds;
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        if (isPassing(error) && performance.now() < this.#endsMs) continue;
        this.#lost.abort(error);
        return;
      }
    }
  }
}
