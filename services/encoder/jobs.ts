import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Progress } from '../../platform/progress.js';
import { TacetError } from '../../proto/errors.js';
import { PROBLEM, problemOf } from '../../proto/problem.js';
import { TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { ENCODED } from './encoded.js';

/** `interrupted`: the process ended before the job did, and cannot go on with it. */
export const JOB_STATES = [
  'waiting',
  'running',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] as const;

const PROGRESS = closedObject(
  {
    step: Type.String(),
    done: Type.Number(),
    total: Type.Optional(Type.Number()),
    unit: Type.Optional(Type.String()),
    note: Type.Optional(Type.String()),
    willFinish: Type.Optional(Type.Boolean()),
    finished: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Progress' },
);

export const JOB_VIEW = closedObject(
  {
    id: Type.String(),
    state: oneOf(JOB_STATES),
    created: TIME,
    ended: nullable(TIME),
    progress: nullable(PROGRESS),
    /** What the work returned, once it is done. */
    report: Type.Unsafe<unknown>(nullable(ENCODED)),
    /** Why it failed: problem details. */
    problem: Type.Unsafe<unknown>(nullable(PROBLEM)),
  },
  { title: 'Job' },
);

export type JobState = (typeof JOB_STATES)[number];

/** What anyone may know of a job: counts, no text, no names of documents. */
export type JobView = TypeOf<typeof JOB_VIEW>;

/** Long work that stops when asked to. */
export interface JobWork {
  run(context: { signal: AbortSignal; progress: Progress }): Promise<unknown>;
  /** Told how the job ended before anyone else is; not of one that `close` stopped before its end. */
  ended?(view: JobView): Promise<void>;
}

interface Job {
  view: JobView;
  readonly controller: AbortController;
  /** Until it has ended: it holds the texts of documents. */
  work: JobWork | undefined;
  readonly settled: PromiseWithResolversOf<unknown>;
}

interface PromiseWithResolversOf<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Ended jobs that are remembered. */
const KEPT = 100;
const MOST_WAITING = 64;
/** Of the inputs of waiting jobs, which lie in memory; four of the largest bodies that a request may have. */
const MOST_WAITING_BYTES = 256 * 2 ** 20;

const CANCELLED = new TacetError('interrupted', 'the job was cancelled');
const CLOSED = new TacetError('interrupted', 'the process that runs the job ends');

/** Jobs of this process, one at a time, in the order of their coming. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** The input's bytes of jobs that wait; those that were created and not submitted yet have a place among them. */
  readonly #waitingBytes = new Map<string, number>();
  #running = false;
  #closing = false;

  /**
   * `explain` turns any failure into one that may be shown; `forgotten` is told of each ended job that
   * is no longer remembered.
   */
  constructor(
    private readonly explain: (error: unknown) => TacetError,
    private readonly forgotten: (id: string) => void = () => {},
  ) {}

  /**
   * The view of a job that nothing was done for yet, to be submitted or given up. `bytes` is what its input takes in memory.
   * Throws `store-busy` where too many wait, or hold too much.
   */
  create(bytes = 0): JobView {
    if (this.#waitingBytes.size >= MOST_WAITING)
      throw new TacetError('store-busy', `${MOST_WAITING} jobs wait already; try again later`);
    const held = [...this.#waitingBytes.values()].reduce((sum, each) => sum + each, 0);
    if (bytes > 0 && held > 0 && held + bytes > MOST_WAITING_BYTES)
      throw new TacetError(
        'store-busy',
        `the documents of jobs that wait may take ${MOST_WAITING_BYTES} bytes together, and with these would take more; ` +
          'try again later, or send files below the input directory, of which none lies in memory',
      );
    const id = randomUUID();
    this.#waitingBytes.set(id, bytes);
    return {
      id,
      state: 'waiting',
      created: new Date().toISOString(),
      ended: null,
      progress: null,
      report: null,
      problem: null,
    };
  }

  /** Frees the place of a job that will not be submitted. */
  giveUp({ id }: JobView): void {
    this.#waitingBytes.delete(id);
  }

  /** Takes a job in, to be run when those before it have ended. */
  submit(view: JobView, work: JobWork): JobView {
    this.#add(view, work);
    void this.#run();
    return view;
  }

  /** Remembers a job that an earlier process ended, or did not live to end. */
  restore(view: JobView): void {
    this.#add(view, undefined).settled.resolve(view.report);
  }

  #add(view: JobView, work: JobWork | undefined): Job {
    if (view.ended !== null) this.#waitingBytes.delete(view.id);
    else this.#waitingBytes.set(view.id, this.#waitingBytes.get(view.id) ?? 0);
    const job: Job = { view, work, controller: new AbortController(), settled: resolvers() };
    this.#jobs.set(view.id, job);
    this.#forget();
    return job;
  }

  /** What the job's work returns. Rejects as the work does; aborting stops the job. */
  async result(id: string, signal?: AbortSignal): Promise<unknown> {
    const job = this.#get(id);
    const stop = () => this.#stop(job);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    try {
      return await job.settled.promise;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  list(): JobView[] {
    return [...this.#jobs.values()].map(({ view }) => view);
  }

  /** Throws `not-found`. */
  view(id: string): JobView {
    return this.#get(id).view;
  }

  /** Stops a job: what it has released stays released. Ended jobs are left as they are. */
  cancel(id: string): JobView {
    const job = this.#get(id);
    this.#stop(job);
    return job.view;
  }

  /** Every change of a job until it ends, its present state first. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<JobView> {
    const job = this.#get(id);
    let sent: JobView | undefined;
    while (!signal.aborted) {
      if (job.view !== sent) {
        sent = job.view;
        yield sent;
        continue;
      }
      if (sent.ended !== null) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          this.#changes.off(id, wake);
          resolve();
        };
        signal.addEventListener('abort', wake);
        this.#changes.on(id, wake);
      });
    }
  }

  /** Stops everything and waits for it. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#jobs.values()) this.#stop(job, CLOSED);
    await Promise.allSettled([...this.#jobs.values()].map(({ settled }) => settled.promise));
  }

  #stop(job: Job, why = CANCELLED): void {
    if (job.view.ended === null) job.controller.abort(why);
    if (job.view.state === 'waiting')
      void this.#fail(job, 'cancelled', job.controller.signal.reason);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (;;) {
      const job = [...this.#jobs.values()].find(({ view }) => view.state === 'waiting');
      if (!job?.work) break;
      this.#change(job, { state: 'running' });
      const progress: Progress = (event) => this.#change(job, { progress: event });
      try {
        const report = await job.work.run({ signal: job.controller.signal, progress });
        await this.#end(job, { state: 'done', report });
        job.settled.resolve(report);
      } catch (error) {
        await this.#fail(job, job.controller.signal.aborted ? 'cancelled' : 'failed', error);
      }
    }
    this.#running = false;
  }

  async #fail(job: Job, state: 'failed' | 'cancelled', error: unknown): Promise<void> {
    const shown = this.explain(error);
    await this.#end(job, { state, problem: problemOf(shown) });
    job.settled.reject(shown);
  }

  async #end(job: Job, change: Partial<JobView>): Promise<void> {
    const ended = new Date().toISOString();
    // A waiting job that was cancelled must not be run meanwhile.
    if (job.view.state === 'waiting') this.#change(job, { ...change, ended });
    try {
      if (!this.#isLeft(job, change)) await job.work?.ended?.({ ...job.view, ...change, ended });
    } catch (error) {
      this.explain(error);
    }
    job.work = undefined;
    if (job.view.ended === null) this.#change(job, { ...change, ended });
  }

  /** Whether the job is unfinished for no other reason than that the process ends. */
  #isLeft({ controller }: Job, { state }: Partial<JobView>): boolean {
    return this.#closing && state !== 'done' && controller.signal.reason !== CANCELLED;
  }

  #change(job: Job, change: Partial<JobView>): void {
    job.view = { ...job.view, ...change };
    if (job.view.state !== 'waiting') this.#waitingBytes.delete(job.view.id);
    this.#changes.emit(job.view.id);
  }

  #get(id: string): Job {
    const job = this.#jobs.get(id);
    if (!job) throw new TacetError('not-found', 'there is no such job, or it ended long ago');
    return job;
  }

  #forget(): void {
    const ended = [...this.#jobs.values()].filter(({ view }) => view.ended !== null);
    for (const { view } of ended.slice(0, Math.max(0, ended.length - KEPT))) {
      this.#jobs.delete(view.id);
      this.forgotten(view.id);
    }
  }
}

function resolvers<T>(): PromiseWithResolversOf<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Nobody need wait for a job; its failure is in its view.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
