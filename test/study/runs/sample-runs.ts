import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import type { AttackResult, Measurements } from '../../../study/runs/measurements.js';

export interface SampleRun {
  readonly name: string;
  readonly kind: string;
  readonly seed?: number;
  readonly config?: object;
  /** What was learned from beside the notes, as `config.json` records it. */
  readonly beside?: { readonly language?: string; readonly unlabelled?: string };
  /** Binary token F1, own and on releases. */
  readonly f1?: number;
  /** Binary token F1 of HIPAA's types, where the corpus has them. */
  readonly hipaaF1?: number;
  /** The certified bound; a run with one has a representation. */
  readonly bound?: number;
  /** Pairs of each frequency of their word, whose limit is `bound`. */
  readonly pairs?: Readonly<Record<string, number>>;
  /** What its adversary could after its last epoch. */
  readonly last?: number;
  /** The least validation loss of each phase, in the order that they ran. */
  readonly losses?: Readonly<Record<string, number>>;
  /** Whether it came to its end. */
  readonly finished?: boolean;
}

const DIGEST = 'a'.repeat(64);

/** A run as `tacet train` and `tacet experiment measure` leave it, with made-up numbers. */
export async function writeSampleRun(root: string, run: SampleRun): Promise<void> {
  const { name, kind, seed = 1, config = {}, f1, bound, finished = true } = run;
  const { losses = { P1: 0.3 }, beside } = run;
  const directory = path.join(root, name);
  await mkdir(directory, { recursive: true });
  const write = (file: string, value: unknown) =>
    writeFile(path.join(directory, file), JSON.stringify(value));
  const identity = { backend: 'native', scheme: DIGEST, embeddings: DIGEST, corpus: DIGEST };
  const settings = trainingConfig({ ...config, seed });
  await write('config.json', { kind, ...identity, ...beside, ...settings });
  const epochs = Object.entries(losses).map(([stage, monitor]) => ({
    ...{ stage, epoch: 1, tokens: 100, seconds: 36 },
    ...{ train: { l_deid: 0.4 }, validation: { l_deid: 0.3, accuracy: 0.6, monitor } },
  }));
  const lines = epochs.map((epoch) => `${JSON.stringify(epoch)}\n`);
  await writeFile(path.join(directory, 'metrics.jsonl'), lines.join(''));
  if (!finished) return;
  await write('networks.json', { deidentifier: {}, ...(bound && { representation: {} }) });
  if (f1 !== undefined) await write('measurements.json', measurementsOf(f1, run));
}

function measurementsOf(f1: number, { bound, last, hipaaF1, pairs = {} }: SampleRun): Measurements {
  const provenance = {
    seconds: 3600,
    machine: { cpu: 'a processor', cores: 2, threads: 1, node: 'v20.0.0' },
    shortened: [],
  };
  const around = (value: number) => ({
    value,
    interval: [value - 0.01, value + 0.01] as [number, number],
  });
  const scoreOf = (value: number) => {
    return { precision: around(value), recall: around(value), f1: around(value) };
  };
  const score = scoreOf(f1);
  const scores = {
    ...{ documents: 5, tokens: 100, binaryToken: score, entity: score },
    ...(hipaaF1 !== undefined && { hipaaToken: scoreOf(hipaaF1) }),
  };
  const attack = (value: number): AttackResult => {
    return { trials: 10, documents: 5, success: around(value), chance: 0.5, limit: null };
  };
  const facts = {
    documents: { train: 9, validation: 1 },
    sentences: { train: 90, validation: 10 },
    phases: [],
    tokens: 1000,
    phiTokens: 100,
    immovable: null,
  };
  const own = { ...scores, ...provenance };
  const measured = { format: 'tacet-measurements-1', heldOut: DIGEST } as const;
  const plain = { ...measured, facts: { ...facts, ...provenance }, own };
  if (bound === undefined) return plain;
  const bounded = { documents: 5, bound: around(bound), median: bound - 0.1, percentile95: 0.7 };
  return {
    ...plain,
    bounds: {
      certified: {
        ...{ ...bounded, maximum: 1, pairs: 10, draws: 16, percentile99: 0.9 },
        shareOver60: 0.1,
        slices: Object.entries(pairs).map(([value, trials]) => {
          return { by: 'frequency', value, trials, bound: around(bound) };
        }),
      },
      entities: { ...bounded, maximum: 1, entities: 4 },
      ...provenance,
    },
    released: {
      ...{ split: 'by document', sentences: 100, epochs: 9, bestEpoch: 5 },
      ...{ noiseOff: scores, noiseOn: scores, ...provenance },
    },
    'known-noise': { attacks: { 'known-noise-twins': attack(bound - 0.02) }, ...provenance },
    adversary: {
      ...{ epochs: 12, bestEpoch: 2, before: attack(0.5), unseen: attack(0.52) },
      ...{ learned: attack(0.53), ...provenance, shortened: ['12 of up to 50 epochs'] },
      ...(last !== undefined && { last: { unseen: attack(last), learned: attack(last) } }),
    },
  };
}
