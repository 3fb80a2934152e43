import { type Transferable, Worker } from 'node:worker_threads';
import { ERRORS, type ErrorCode, TacetError } from '../../proto/errors.js';
import type { TaskAnswer, TaskRequest } from './worker-task.js';

export interface WorkerPoolOptions {
  /** Most threads at once; kernels run on threads of their own besides. */
  readonly threads?: number;
  /** Copied to every thread when it starts, for the module's `tasks`. */
  readonly data?: unknown;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Buffers of the input that move to the thread instead of being copied. */
  readonly transfer?: readonly Transferable[];
}

interface Job extends RunOptions {
  readonly request: TaskRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly onAbort: () => void;
}

const THREAD = new URL('./worker-thread.js', import.meta.url);

/**
 * Runs the tasks of a module on worker threads, so that the event loop of a service goes on while
 * tensors are computed. Threads start when there is work and keep no process alive without it.
 */
export class WorkerPool {
  readonly #module: URL;
  readonly #options: WorkerPoolOptions;
  readonly #waiting: Job[] = [];
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job>();
  #closed = false;
  #onIdle: (() => void) | undefined;

  /** `module` exports `tasks`, a `TaskFactory`. */
  constructor(module: URL, options: WorkerPoolOptions = {}) {
    this.#module = module;
    this.#options = options;
  }

  /**
   * The value of one task. An error of the task keeps its code. Aborting rejects with the signal's
   * reason; a task that runs is stopped together with its thread. Throws `interrupted` once the pool
   * is closed, and `internal` where the thread ends without an answer.
   */
  run(task: string, input?: unknown, options: RunOptions = {}): Promise<unknown> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#abort(job);
      const job: Job = { ...options, request: { task, input }, resolve, reject, onAbort };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends the pool: waiting tasks are rejected with `interrupted`, running ones end first. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) settle(job, () => job.reject(closed()));
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const full = this.#running.size >= (this.#options.threads ?? 1);
      if (full) return;
      const worker = this.#idle.pop() ?? this.#start();
      this.#send(worker, this.#waiting.shift() as Job);
    }
  }

  #send(worker: Worker, job: Job): void {
    this.#running.set(worker, job);
    worker.ref();
    try {
      worker.postMessage(job.request, [...(job.transfer ?? [])]);
    } catch (cause) {
      this.#release(worker);
      settle(job, () => job.reject(cause));
    }
  }

  #start(): Worker {
    const workerData = { module: this.#module.href, data: this.#options.data };
    const worker = new Worker(THREAD, { workerData });
    worker.on('message', (answer: TaskAnswer) => {
      const job = this.#release(worker);
      if (job) settle(job, () => finish(job, answer));
      this.#next();
    });
    const ended = (cause?: unknown) => this.#ended(worker, cause);
    worker.on('error', ended);
    worker.on('exit', () => ended());
    return worker;
  }

  /** Makes a worker idle and gives the job that it had. */
  #release(worker: Worker): Job | undefined {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    this.#idle.push(worker);
    worker.unref();
    if (this.#running.size === 0) this.#onIdle?.();
    return job;
  }

  #ended(worker: Worker, cause: unknown): void {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    if (job) settle(job, () => job.reject(died(job, cause)));
    if (this.#running.size === 0) this.#onIdle?.();
    this.#next();
  }

  #abort(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    settle(job, () => job.reject(job.signal?.reason));
    for (const [worker, running] of this.#running) {
      if (running === job) void worker.terminate();
    }
  }
}

function settle(job: Job, settlement: () => void): void {
  job.signal?.removeEventListener('abort', job.onAbort);
  settlement();
}

function finish(job: Job, answer: TaskAnswer): void {
  if ('value' in answer) job.resolve(answer.value);
  else job.reject(errorOf(answer.error));
}

function errorOf({ code, message }: { code: string | undefined; message: string }): Error {
  return isErrorCode(code) ? new TacetError(code, message) : new Error(message);
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERRORS, code);
}

function closed(): TacetError {
  return new TacetError('interrupted', 'the worker pool is closed');
}

function died({ request }: Job, cause: unknown): TacetError {
  return new TacetError('internal', `a worker thread ended during its task '${request.task}'`, {
    cause,
  });
}
