/** The body of a `TaskThread`: loads the module of tasks and works on whatever is asked for, as it comes. */
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { TacetError } from '../../proto/errors.js';
import type { Progress, ProgressEvent } from '../progress.js';
import { receivedError, sentError } from './sent-error.js';
import type { Task, TaskAnswer, TaskFactory, TaskRequest } from './task.js';

/** Between two reports of one step. */
const PROGRESS_INTERVAL_MS = 50;

const { module, data } = workerData as { module: string; data: unknown };
const underWay = new Map<number, AbortController>();

const loading = load();
// A module that cannot be loaded is reported by the first request.
loading.catch(() => undefined);

async function load(): Promise<Readonly<Record<string, Task<unknown>>>> {
  const { tasks } = (await import(module)) as { tasks: TaskFactory<unknown> };
  return tasks(data) as Promise<Readonly<Record<string, Task<unknown>>>>;
}

async function run({ id, task, input }: Extract<TaskRequest, { task: string }>): Promise<void> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    const work = (await loading)[task];
    if (!work) throw new TacetError('internal', `the thread's module has no task '${task}'`);
    const progress = atIntervals((event) => send({ id, progress: event }));
    const { value, transfer } = await work(input, { signal: controller.signal, progress });
    send({ id, value }, transfer);
  } catch (error) {
    send({ id, error: sentError(error) });
  } finally {
    underWay.delete(id);
  }
}

/** Passes on the first and the last report of each step, and between them a few a second. */
function atIntervals(report: Progress): Progress {
  let last = { step: '', ms: 0 };
  return (event: ProgressEvent) => {
    const ms = performance.now();
    const isDue = event.step !== last.step || ms - last.ms >= PROGRESS_INTERVAL_MS;
    if (!isDue && event.done !== event.total) return;
    last = { step: event.step, ms };
    report(event);
  };
}

function send(answer: TaskAnswer, transfer: readonly Transferable[] = []): void {
  parentPort?.postMessage(answer, [...transfer]);
}

parentPort?.on('message', (request: TaskRequest) => {
  if ('abort' in request) underWay.get(request.id)?.abort(receivedError(request.abort));
  else void run(request);
});
