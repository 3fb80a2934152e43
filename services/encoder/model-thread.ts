import { Worker } from 'node:worker_threads';
import type { Progress } from '../../platform/progress.js';
import { TacetError } from '../../proto/errors.js';
import type { ModelIdentities, ModelSetup } from './model-calls.js';
import {
  type CallName,
  type InputOf,
  type OutputOf,
  receivedError,
  sentError,
  type ThreadAnswer,
  type ThreadRequest,
} from './thread-messages.js';

const BODY = new URL('./model-thread-body.js', import.meta.url);

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly progress: Progress | undefined;
}

/**
 * The models of a setup on a thread of their own. Reading, encoding, certifying and de-identifying
 * happen there, with the ledger and the noise, so that the event loop of a service, or the keys of a
 * terminal, never wait for a tensor.
 */
export class ModelThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #ended: Error | undefined;
  #identities: ModelIdentities = { model: undefined, pipeline: undefined };
  /** Settles when the thread has ended; rejects where nobody asked it to. */
  readonly ended: Promise<void>;

  private constructor(setup: ModelSetup) {
    this.#worker = new Worker(BODY, { workerData: setup });
    this.#worker.on('message', (answer: ThreadAnswer) => this.#receive(answer));
    this.ended = new Promise((resolve, reject) => {
      this.#worker.once('error', (cause) => {
        reject(this.#end(new TacetError('internal', 'the thread of the models failed', { cause })));
      });
      this.#worker.once('exit', () => {
        this.#end(new TacetError('interrupted', 'the thread of the models was stopped'));
        resolve();
      });
    });
    // Whoever waits for a call hears of it there.
    this.ended.catch(() => {});
  }

  /** Starts the thread and verifies the bundles; no weight is read yet. Throws as `verifyBundle` does. */
  static async start(setup: ModelSetup, options: CallOptions = {}): Promise<ModelThread> {
    const thread = new ModelThread(setup);
    try {
      thread.#identities = await thread.call('verify', undefined, options);
      return thread;
    } catch (error) {
      await thread.close();
      throw error;
    }
  }

  get identities(): ModelIdentities {
    return this.#identities;
  }

  /**
   * What the method of `ModelCalls` returns. Aborting asks the thread to stop where it may, as
   * between two segments, and rejects with the signal's reason once it has.
   */
  async call<C extends CallName>(
    call: C,
    input: InputOf<C>,
    { signal, progress }: CallOptions = {},
  ): Promise<OutputOf<C>> {
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    const id = this.#calls++;
    const abort = () => this.#send({ id, abort: sentError(signal?.reason) });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject, progress });
      });
      this.#send({ id, call, input });
      return (await answer) as OutputOf<C>;
    } finally {
      this.#pending.delete(id);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the thread; calls under way are rejected with `interrupted`. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: ThreadRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(answer: ThreadAnswer): void {
    const pending = this.#pending.get(answer.id);
    if (!pending) return;
    if ('progress' in answer) pending.progress?.(answer.progress);
    else if ('value' in answer) pending.resolve(answer.value);
    else pending.reject(receivedError(answer.error));
  }

  #end(error: Error): Error {
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    return this.#ended;
  }
}
