/** The body of a pool's threads: loads the module of tasks and runs one request after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { TacetError } from '../../proto/errors.js';
import type { Task, TaskAnswer, TaskFactory, TaskRequest } from './worker-task.js';

const { module, data } = workerData as { module: string; data: unknown };

const loading = load();
// A module that cannot be loaded is reported by the first request.
loading.catch(() => undefined);

async function load(): Promise<Readonly<Record<string, Task<unknown>>>> {
  const { tasks } = (await import(module)) as { tasks: TaskFactory<unknown> };
  return tasks(data) as Promise<Readonly<Record<string, Task<unknown>>>>;
}

async function run({ task, input }: TaskRequest): Promise<void> {
  try {
    const work = (await loading)[task];
    if (!work) throw new TacetError('internal', `the worker's module has no task '${task}'`);
    const { value, transfer = [] } = await work(input);
    parentPort?.postMessage({ value } satisfies TaskAnswer, [...transfer]);
  } catch (error) {
    const code = error instanceof TacetError ? error.code : undefined;
    const { message } = error as Error;
    parentPort?.postMessage({ error: { code, message } } satisfies TaskAnswer);
  }
}

parentPort?.on('message', (request: TaskRequest) => void run(request));
