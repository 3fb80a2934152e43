import { TacetError } from '../../proto/errors.js';
import { type RunOptions, TaskThread, type TaskThreadOptions } from './task-thread.js';

export interface WorkerPoolOptions extends TaskThreadOptions {
  /** Most threads at once; kernels run on threads of their own besides. */
  readonly threads?: number;
  /** Copied to every thread when it starts, for the module's `tasks`. */
  readonly data?: unknown;
}

interface Waiting {
  resolve(thread: TaskThread): void;
  reject(reason: unknown): void;
}

/**
 * Runs the tasks of a module on worker threads, one at a time on each, so that the event loop of a service
 * goes on while tensors are computed. Threads start when there is work.
 *
 * piscina is such a pool too; with it, errors would lose their stable codes on their way, an aborted call
 * would be rejected with an error of piscina's in place of the signal's reason, and tasks could neither be
 * asked to stop nor report progress, which the thread of the encoder's models needs.
 */
export class WorkerPool {
  readonly #module: URL;
  readonly #most: number;
  readonly #data: unknown;
  readonly #options: TaskThreadOptions;
  readonly #waiting: Waiting[] = [];
  readonly #idle: TaskThread[] = [];
  /** Calls, and the ends of threads that were stopped. */
  readonly #underWay = new Set<Promise<unknown>>();
  #threads = 0;
  #isClosed = false;

  /** `module` exports `tasks`, a `TaskFactory`. */
  constructor(module: URL, { threads = 1, data, ...options }: WorkerPoolOptions = {}) {
    this.#options = options;
    this.#module = module;
    this.#most = threads;
    this.#data = data;
  }

  /**
   * The value of one task, as `TaskThread.run` gives it, but that aborting rejects at once: a task that
   * runs is stopped together with its thread. Throws `interrupted` once the pool is closed.
   */
  run(task: string, input?: unknown, options: RunOptions = {}): Promise<unknown> {
    const call = this.#run(task, input, options);
    this.#track(call);
    return call;
  }

  /** Ends the pool: waiting tasks are rejected with `interrupted`, running ones end first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedPool());
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    await Promise.all(this.#idle.splice(0).map((thread) => thread.stop()));
  }

  async #run(task: string, input: unknown, { signal, ...options }: RunOptions): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedPool();
    const thread = this.#free() ?? (await this.#turn(signal));
    const stop = () => void thread.stop(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await thread.run(task, input, options);
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#giveBack(thread);
    }
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work);
    const forget = () => void this.#underWay.delete(work);
    work.then(forget, forget);
  }

  /** A thread that has nothing to do; undefined where as many as may be are at work. */
  #free(): TaskThread | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.hasEnded) return idle;
      this.#threads--;
    }
    return this.#threads < this.#most ? this.#start() : undefined;
  }

  #start(): TaskThread {
    this.#threads++;
    return new TaskThread(this.#module, this.#data, this.#options);
  }

  /** The thread that is given back when this call's turn has come. */
  #turn(signal: AbortSignal | undefined): Promise<TaskThread> {
    let leave = () => {};
    const turn = new Promise<TaskThread>((resolve, reject) => {
      const waiting = { resolve, reject };
      leave = () => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(signal?.reason);
      };
      this.#waiting.push(waiting);
    });
    signal?.addEventListener('abort', leave, { once: true });
    return turn.finally(() => signal?.removeEventListener('abort', leave));
  }

  #giveBack(thread: TaskThread): void {
    const next = this.#waiting.shift();
    if (thread.hasEnded) {
      this.#threads--;
      this.#track(thread.ended);
    }
    if (next) next.resolve(thread.hasEnded ? this.#start() : thread);
    else if (!thread.hasEnded) this.#idle.push(thread);
  }
}

function closedPool(): TacetError {
  return new TacetError('interrupted', 'the worker pool is closed');
}
