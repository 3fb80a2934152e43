import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Deidentifier } from '../../models/networks/deidentifier.js';
import type { NamedArray } from '../../models/networks/named-arrays.js';
import type { Batch } from '../../models/training/data/batch.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { type Blas, blasOf, type PytorchBuild } from './blas.js';
import { networkInput } from './network-input.js';

const SCRIPTS = {
  'bilstm-crf': scriptAt('pytorch_lstm.py'),
  'sequence-to-sequence': scriptAt('pytorch_attention.py'),
} as const;
/** Debian's Python, for which there is a PyTorch. */
const PYTHON = '/usr/bin/python3';
/** Threads that wait asleep, not spinning on the cores of whoever is timed next. */
const ENVIRONMENT = { OMP_WAIT_POLICY: 'passive' };

type Batches = readonly Batch<TextExample>[];

/** The same network and data in a PyTorch of its own process. */
export interface Pytorch {
  readonly blas: Blas;
  /** The losses of `steps` steps from the start weights, dropout off. */
  losses(batches: Batches, crf: boolean, steps: number): Promise<number[]>;
  /** The milliseconds that one step on each batch takes. */
  train(batches: Batches, crf: boolean, threads: number): Promise<number>;
  stop(): void;
}

/** Starts PyTorch, or says why not and returns undefined. `batches` are all that will be asked for. */
export async function startPytorch(
  interpreter = PYTHON,
  network: Deidentifier,
  vocabulary: Vocabulary,
  batches: Batches,
): Promise<Pytorch | undefined> {
  if (!existsSync(interpreter)) return skip(`there is no ${interpreter}`);
  const directory = await mkdtemp(path.join(tmpdir(), 'tacet-bench-'));
  await writeArrays(directory, {
    ...network.parameters.toArrays(),
    ...batchArrays(network, vocabulary, batches),
  });
  const python = spawn(interpreter, [SCRIPTS[network.config.network ?? 'bilstm-crf'], directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...ENVIRONMENT },
  });
  const closed = once(python, 'close');
  let complaint = '';
  python.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-2000);
  });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (!done) return JSON.parse(value);
    await closed;
    throw new Error(complaint.trim().split('\n').at(-1) || 'Python ended without a word');
  };
  const ask = (request: object) => {
    python.stdin.write(`${JSON.stringify(request)}\n`);
    return answer();
  };
  const names = (wanted: Batches) => wanted.map((batch) => batchName(batches.indexOf(batch)));
  const stop = () => python.stdin.end();
  let blas: Blas;
  try {
    blas = blasOf((await answer()) as PytorchBuild);
  } catch (error) {
    return skip((error as Error).message);
  } finally {
    await rm(directory, { recursive: true });
  }
  process.stderr.write(`bench: PyTorch computes with ${blas.name}\n`);
  if (!blas.isFast) {
    process.stderr.write(
      'bench: that says nothing about PyTorch, so no ratio to it is given; ' +
        'with OpenBLAS it would (Debian: apt-get install libopenblas0-pthread)\n',
    );
  }
  return {
    blas,
    losses: (wanted, crf, steps) =>
      ask({ do: 'losses', batches: names(wanted), crf, steps }) as Promise<number[]>,
    train: (wanted, crf, threads) =>
      ask({ do: 'train', batches: names(wanted), crf, threads }) as Promise<number>,
    stop,
  };
}

function scriptAt(name: string): string {
  return fileURLToPath(new URL(`../../../bench/peers/${name}`, import.meta.url));
}

function skip(reason: string): undefined {
  process.stderr.write(`bench: not compared with PyTorch: ${reason}\n`);
}

function batchName(index: number): string {
  return `batch-${index}`;
}

function batchArrays(network: Deidentifier, vocabulary: Vocabulary, batches: Batches) {
  const arrays: Record<string, NamedArray> = {};
  for (const [index, batch] of batches.entries()) {
    const { lengths, labels, steps } = batch;
    const name = batchName(index);
    arrays[`${name}/x`] = networkInput(network, vocabulary, batch);
    arrays[`${name}/labels`] = {
      shape: [lengths.length, steps],
      data: Float32Array.from(labels),
    };
    arrays[`${name}/lengths`] = { shape: [lengths.length], data: Float32Array.from(lengths) };
  }
  return arrays;
}

async function writeArrays(
  directory: string,
  arrays: Readonly<Record<string, NamedArray>>,
): Promise<void> {
  const index: Record<string, { shape: readonly number[]; offset: number }> = {};
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(arrays)) {
    index[name] = { shape, offset };
    offset += data.length;
  }
  const bytes = Object.values(arrays).map(({ data }) =>
    Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  );
  await writeFile(path.join(directory, 'arrays.bin'), Buffer.concat(bytes));
  await writeFile(path.join(directory, 'arrays.json'), JSON.stringify(index));
}
