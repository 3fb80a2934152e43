import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FuzzCounts } from './fuzz.js';
import { TARGETS } from './targets.js';
import type { WorkerTask } from './worker.js';

/** One input may take this long; a whole one is 64 KB at most. */
const INPUT_LIMIT_MS = 5_000;
/** What one reader may hold, samples and program included. */
const MEMORY_LIMIT_MB = 256;
const WATCH_INTERVAL_MS = 500;
/** The input at hand while its thread starts, which a busy machine may take long over. */
const NONE_YET = -1;

const { values, positionals } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});

/**
 * `main.js [--inputs N] [--seed S] [--from I] [TARGET...]`: every reader when none is named. A failure
 * names the input; `--from` goes on behind it, or reads it alone with `--inputs 1`.
 */
for (const target of positionals.length > 0 ? positionals : Object.keys(TARGETS)) {
  const start = performance.now();
  const task = {
    target,
    seed: Number(values.seed),
    from: Number(values.from),
    inputs: Math.ceil(Number(values.inputs) * (TARGETS[target]?.share ?? 1)),
  };
  try {
    const counts = await runWatched(task);
    const seconds = ((performance.now() - start) / 1e3).toFixed(0);
    process.stdout.write(`${target}: ${describe(counts)}, ${seconds} s\n`);
  } catch (error) {
    process.stdout.write(`${target}: seed ${task.seed}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

function describe({ inputs, read, refused, slowestMs, slowestInput }: FuzzCounts): string {
  return (
    `${inputs} inputs, ${read} read, ${refused} refused, ` +
    `slowest ${slowestMs.toFixed(1)} ms (input ${slowestInput})`
  );
}

/** In a thread of its own, so that a reader that hangs or fills memory can be ended and named. */
function runWatched(task: Omit<WorkerTask, 'current'>): Promise<FuzzCounts> {
  const current = new Int32Array(new SharedArrayBuffer(4)).fill(NONE_YET);
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { ...task, current },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  let last = NONE_YET;
  let lastMs = performance.now();
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      const nowMs = performance.now();
      const input = Atomics.load(current, 0);
      if (input === NONE_YET || input !== last) [last, lastMs] = [input, nowMs];
      else if (nowMs - lastMs > INPUT_LIMIT_MS) {
        reject(new Error(`input ${input}: still running after ${INPUT_LIMIT_MS / 1e3} s`));
        void worker.terminate();
      }
    }, WATCH_INTERVAL_MS);
    worker.once('message', resolve);
    worker.once('error', (error: Error) => {
      const isNamed = error.message.startsWith('input ');
      reject(isNamed ? error : new Error(`input ${Atomics.load(current, 0)}: ${error.message}`));
    });
    worker.once('exit', () => clearInterval(watch));
  });
}
