import { type RunOptions, TaskThread } from '../../platform/threads/task-thread.js';
import type { ModelCalls, ModelIdentities, ModelSetup } from './model-calls.js';
import type { CallName } from './model-tasks.js';

const TASKS = new URL('./model-tasks.js', import.meta.url);

type InputOf<C extends CallName> = Parameters<ModelCalls[C]>[0];
type OutputOf<C extends CallName> = Awaited<ReturnType<ModelCalls[C]>>;

export type CallOptions = Pick<RunOptions, 'signal' | 'progress'>;

/**
 * The models of a setup on a thread of their own. Reading, encoding, certifying and de-identifying
 * happen there, with the ledger and the noise, so that the event loop of a service, or the keys of a
 * terminal, never wait for a tensor.
 */
export class ModelThread {
  #identities: ModelIdentities = { model: undefined, pipeline: undefined, beside: [] };

  private constructor(private readonly thread: TaskThread) {}

  /** Starts the thread and verifies the bundles; no weight is read yet. Throws as `verifyBundle` does. */
  static async start(setup: ModelSetup, options: CallOptions = {}): Promise<ModelThread> {
    const models = new ModelThread(new TaskThread(TASKS, setup, { handlesText: true }));
    try {
      models.#identities = await models.call('verify', undefined, options);
      return models;
    } catch (error) {
      await models.close();
      throw error;
    }
  }

  get identities(): ModelIdentities {
    return this.#identities;
  }

  /** Settles when the thread has ended; rejects where nobody asked it to. */
  get ended(): Promise<void> {
    return this.thread.ended;
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
    return (await this.thread.run(call, input, { signal, progress })) as OutputOf<C>;
  }

  /** Ends the thread; calls under way are rejected with `interrupted`. */
  async close(): Promise<void> {
    await this.thread.stop();
  }
}
