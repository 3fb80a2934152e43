import { parentPort, workerData } from 'node:worker_threads';
import { fuzz } from './fuzz.js';
import { TARGETS } from './targets.js';

/** What the program tells its worker, and hears of it. */
export interface WorkerTask {
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly inputs: number;
  /** [1]: the number of the input that is being read, so that a hang can be named. */
  readonly current: Int32Array;
}

const { target, current, ...options } = workerData as WorkerTask;
const chosen = TARGETS[target];
if (chosen === undefined) throw new Error(`there is no target ${target}`);
const onInput = (input: number) => Atomics.store(current, 0, input);
parentPort?.postMessage(await fuzz(chosen, { ...options, onInput }));
