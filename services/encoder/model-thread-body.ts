/** The thread of the models: several calls may be under way, which take turns between two batches. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Progress, ProgressEvent } from '../../platform/progress.js';
import { ModelCalls, type ModelSetup } from './model-calls.js';
import {
  receivedError,
  sentError,
  type ThreadAnswer,
  type ThreadRequest,
} from './thread-messages.js';

/** Between two reports of one step. */
const PROGRESS_INTERVAL_MS = 50;

const calls = new ModelCalls(workerData as ModelSetup);
const underWay = new Map<number, AbortController>();

async function answer({ id, call, input }: Extract<ThreadRequest, { call: unknown }>) {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    // Each input was made by `ModelThread.call` for the call that it names.
    const work = calls[call].bind(calls) as (input: unknown, context: object) => Promise<unknown>;
    const progress = sparing((event) => send({ id, progress: event }));
    const value = await work(input, { signal: controller.signal, progress });
    send({ id, value });
  } catch (error) {
    send({ id, error: sentError(error) });
  } finally {
    underWay.delete(id);
  }
}

/** Passes on the first and the last report of each step, and between them a few a second. */
function sparing(report: Progress): Progress {
  let last = { step: '', ms: 0 };
  return (event: ProgressEvent) => {
    const ms = performance.now();
    const isDue = event.step !== last.step || ms - last.ms >= PROGRESS_INTERVAL_MS;
    if (!isDue && event.done !== event.total) return;
    last = { step: event.step, ms };
    report(event);
  };
}

function send(message: ThreadAnswer): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (request: ThreadRequest) => {
  if ('abort' in request) underWay.get(request.id)?.abort(receivedError(request.abort));
  else void answer(request);
});
