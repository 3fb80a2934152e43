import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { useBackend } from '../models/tensor/backend.js';
import { Random } from '../models/tensor/random.js';
import * as tf from '../models/tensor/tf.js';
import { THREE_PHASE_DEFAULTS } from '../models/training/configuration/three-phase-config.js';
import { pairSource } from '../models/training/data/pairs.js';
import { phase3 } from '../models/training/phase3.js';
import type { Stage } from '../models/training/run/stage.js';
import { createNetworks, trainThreePhase } from '../models/training/three-phase.js';
import type { ThreePhaseData } from '../models/training/three-phase-data.js';
import { epochData } from './epoch-data.js';
import type { BenchOptions, Measurement } from './measurement.js';
import { selfTimes } from './self-times.js';

const EPOCHS = 20;
/** Shares of the profile below it are not listed. */
const LEAST_SHARE = 0.01;

const ONE_EPOCH = { maxEpochs: 1, patience: 1 };

/**
 * Three-phase training with the networks' default sizes, of invented notes or of a corpus: the most
 * memory that one epoch of each phase takes; then epochs of P3, their rate in true tokens, where the
 * time of one goes, and what stays in memory from one to the next.
 */
export async function* epochBench(options: BenchOptions): AsyncGenerator<Measurement> {
  await useBackend('native');
  const data = await epochData(options);
  const loaded = process.memoryUsage.rss();
  yield line('resident memory with embeddings and notes', {
    rate: mebibytes(loaded),
    unit: 'MiB',
  });
  await oneEpochOfEach(data);
  const most = 1024 * process.resourceUsage().maxRSS;
  yield line('P1, P2 and P3, most resident memory', { rate: mebibytes(most), unit: 'MiB' });
  const stage = phase(data);
  runEpoch(stage, 0);
  yield* await profileOf(() => runEpoch(stage, 1));
  const memory = [memoryNow()];
  const epochs = Array.from({ length: EPOCHS }, (_, i) => {
    const epoch = runEpoch(stage, 2 + i);
    memory.push(memoryNow());
    return epoch;
  });
  yield rateOf(epochs);
  yield* growthOf(memory);
}

async function oneEpochOfEach(data: ThreePhaseData): Promise<void> {
  const config = {
    ...THREE_PHASE_DEFAULTS,
    P1: ONE_EPOCH,
    P2: ONE_EPOCH,
    P3: { ...THREE_PHASE_DEFAULTS.P3, ...ONE_EPOCH },
  };
  const networks = await trainThreePhase(data, config, { random: new Random(1) });
  for (const network of [networks.representation, networks.deidentifier, networks.adversary]) {
    network.dispose();
  }
}

function phase(data: ThreePhaseData): Stage {
  const networks = createNetworks(data, THREE_PHASE_DEFAULTS, new Random(1));
  const pairs = {
    train: pairSource(data.train, data.candidates),
    validation: pairSource(data.validation, data.candidates),
  };
  return phase3(networks, data, pairs, THREE_PHASE_DEFAULTS);
}

interface Epoch {
  readonly tokens: number;
  readonly milliseconds: number;
}

function runEpoch(stage: Stage, epoch: number): Epoch {
  const random = new Random(1).fork(`epoch-${epoch}`);
  const start = performance.now();
  let tokens = 0;
  for (const batch of stage.batches(random.fork('train'), epoch)) {
    batch.run();
    tokens += batch.tokens;
  }
  stage.validate(random.fork('validate'), epoch);
  return { tokens, milliseconds: performance.now() - start };
}

function rateOf(epochs: readonly Epoch[]): Measurement {
  const sorted = [...epochs].sort((a, b) => a.milliseconds - b.milliseconds);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as Epoch;
  const { tokens, milliseconds } = at(0.5);
  const spread = (at(0.75).milliseconds - at(0.25).milliseconds) / milliseconds;
  return line('P3', {
    milliseconds,
    spread,
    rate: (1e3 * tokens) / milliseconds,
    unit: 'tokens/s',
  });
}

async function profileOf(run: () => void): Promise<Measurement[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  run();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const times = selfTimes(profile);
  const native = times.filter(({ name }) => name.startsWith('native: '));
  const all = native.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const share = native.reduce((sum, each) => sum + each.share, 0);
  return [{ name: 'native kernels together', milliseconds: all, share }, ...times]
    .filter(({ share }) => share >= LEAST_SHARE)
    .map(({ name, milliseconds, share }) =>
      line(`P3 time: ${name}`, { milliseconds, rate: 100 * share, unit: '%' }),
    );
}

interface Memory {
  readonly tensors: number;
  /** Of arrays outside of V8's heap, tensors' among them. */
  readonly native: number;
  readonly resident: number;
}

function memoryNow(): Memory {
  collectGarbage();
  const { rss, arrayBuffers } = process.memoryUsage();
  return { tensors: tf.memory().numTensors, native: arrayBuffers, resident: rss };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** What there is after each quarter of the epochs. */
function growthOf(memory: readonly Memory[]): Measurement[] {
  const after = [1, 2, 3, 4].map((quarter) => (quarter * EPOCHS) / 4);
  const lines = (name: string, unit: string, valueIn: (memory: Memory) => number) =>
    after.map((epochs) =>
      line(`P3 ${name} after ${epochs} epochs`, { rate: valueIn(memory[epochs] as Memory), unit }),
    );
  return [
    ...lines('tensors', '', ({ tensors }) => tensors),
    ...lines('native memory', 'MiB', ({ native }) => mebibytes(native)),
    ...lines('resident memory', 'MiB', ({ resident }) => mebibytes(resident)),
  ];
}

function mebibytes(bytes: number): number {
  return bytes / 2 ** 20;
}

function line(
  name: string,
  values: { milliseconds?: number; spread?: number; rate: number; unit: string },
): Measurement {
  return { bench: 'epoch', name, threads: 0, milliseconds: 0, spread: 0, ...values };
}
