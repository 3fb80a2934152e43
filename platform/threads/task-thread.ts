import { type Transferable, Worker } from 'node:worker_threads';
import { TacetError } from '../../proto/errors.js';
import type { Progress } from '../progress.js';
import { systemFailure } from '../system-failure.js';
import { receivedError, sentError } from './sent-error.js';
import type { TaskAnswer, TaskRequest } from './task.js';

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Buffers of the input that move to the thread instead of being copied. */
  readonly transfer?: readonly Transferable[];
}

export interface TaskThreadOptions {
  /** Whether it makes so many short-lived strings and arrays that V8 should collect them less often. */
  readonly handlesText?: boolean;
}

interface Call {
  readonly task: string;
  readonly progress: Progress | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const BODY = new URL('./thread-body.js', import.meta.url);
/** Twice what V8 takes by itself. */
const TEXT_MEGABYTES = 96;

/**
 * A module's tasks on a thread of their own, several at a time where they pause. It keeps no process alive
 * while nothing is asked of it.
 */
export class TaskThread {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #end: { readonly reason: unknown } | undefined;
  /** Settles when the thread has ended; rejects with `internal`, or the system's refusal, where nobody asked it to. */
  readonly ended: Promise<void>;

  /** `module` exports `tasks`, a `TaskFactory`, which is given a copy of `data`. */
  constructor(module: URL, data?: unknown, { handlesText = false }: TaskThreadOptions = {}) {
    this.#worker = new Worker(BODY, {
      workerData: { module: module.href, data },
      ...(handlesText && { resourceLimits: { maxYoungGenerationSizeMb: TEXT_MEGABYTES } }),
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: TaskAnswer) => this.#receive(answer));
    this.ended = new Promise((resolve, reject) => {
      const fail = (cause?: unknown) => reject(this.#stopCalls(deathOf(this.#calls, cause)));
      this.#worker.once('error', fail);
      this.#worker.once('exit', () => (this.#end ? resolve() : fail()));
    });
    // Whoever waits for a call hears of it there.
    this.ended.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /**
   * The value of one task. An error of the task keeps its code. Aborting asks the task to stop where it
   * may, and rejects with the signal's reason once it has. Throws `internal` where the thread ends without
   * an answer, and what `stop` was given.
   */
  async run(
    task: string,
    input?: unknown,
    { signal, progress, transfer = [] }: RunOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#end) throw this.#end.reason;
    const id = this.#lastId++;
    const abort = () => this.#send({ id, abort: sentError(signal?.reason) });
    signal?.addEventListener('abort', abort, { once: true });
    this.#worker.ref();
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#calls.set(id, { task, progress, resolve, reject });
        this.#send({ id, task, input }, transfer);
      });
    } finally {
      this.#calls.delete(id);
      if (this.#calls.size === 0) this.#worker.unref();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the thread at once, whatever it does; calls under way are rejected with the reason. */
  async stop(
    reason: unknown = new TacetError('interrupted', 'the thread was stopped'),
  ): Promise<void> {
    this.#stopCalls(reason);
    await this.#worker.terminate();
  }

  #send(request: TaskRequest, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(request, [...transfer]);
  }

  #receive(answer: TaskAnswer): void {
    const call = this.#calls.get(answer.id);
    if (!call) return;
    if ('progress' in answer) call.progress?.(answer.progress);
    else if ('value' in answer) call.resolve(answer.value);
    else call.reject(receivedError(answer.error));
  }

  /** Returns why the thread ended: the first reason counts. */
  #stopCalls(reason: unknown): unknown {
    this.#end ??= { reason };
    for (const { reject } of this.#calls.values()) reject(this.#end.reason);
    return this.#end.reason;
  }
}

/** A thread that the system lets not begin is no fault of the program. */
function deathOf(calls: ReadonlyMap<number, Call>, cause: unknown): TacetError {
  const refusal = systemFailure(cause);
  if (refusal) return refusal;
  const [first] = calls.values();
  const during = first ? ` during its task '${first.task}'` : '';
  return new TacetError('internal', `a worker thread ended${during}`, { cause });
}
