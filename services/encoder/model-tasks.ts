/** What `ModelThread` runs on its thread. */
import type { Task, TaskContext, TaskFactory } from '../../platform/threads/task.js';
import { ModelCalls, type ModelSetup } from './model-calls.js';

const CALLS = ['verify', 'load', 'encode', 'deidentify', 'analyze', 'operatingPoint'] as const;

export type CallName = (typeof CALLS)[number];

/** Several calls may be under way, which take turns between two batches. */
export const tasks: TaskFactory<ModelSetup> = (setup) => {
  const calls = new ModelCalls(setup);
  const taskOf = (call: CallName): Task<unknown> => {
    // Each input was made by `ModelThread.call` for the call that it names.
    const work = calls[call].bind(calls) as (i: unknown, c: TaskContext) => Promise<unknown>;
    return async (input, context) => ({ value: await work(input, context) });
  };
  return Object.fromEntries(CALLS.map((call) => [call, taskOf(call)]));
};
