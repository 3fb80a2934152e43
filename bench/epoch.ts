import { Session } from 'node:inspector/promises';
import { findCandidates } from '../models/embeddings/candidates.js';
import { useBackend } from '../models/tensor/backend.js';
import { Random } from '../models/tensor/random.js';
import * as tf from '../models/tensor/tf.js';
import { pairSource } from '../models/training/pairs.js';
import { phase3 } from '../models/training/phase3.js';
import { phiWords } from '../models/training/recipes.js';
import type { Stage } from '../models/training/stage.js';
import {
  createNetworks,
  THREE_PHASE_DEFAULTS,
  type ThreePhaseData,
} from '../models/training/three-phase.js';
import type { Measurement } from './measurement.js';
import { LABELS, syntheticSentences } from './network.js';
import { selfTimes } from './self-times.js';

const DOCUMENTS = 120;
const CANDIDATES = 20;
const EPOCHS = 20;
/** Shares of the profile below it are not listed. */
const LEAST_SHARE = 0.01;

/**
 * Epochs of three-phase training's P3 over synthetic notes, with the networks' default sizes: the
 * rate in true tokens, where the time of one goes, and what stays in memory from one to the next.
 */
export async function epochBench(): Promise<Measurement[]> {
  await useBackend('native');
  const stage = await phase();
  runEpoch(stage, 0);
  const profile = await profiled(() => runEpoch(stage, 1));
  const memory = [memoryNow()];
  const epochs = Array.from({ length: EPOCHS }, (_, i) => {
    const epoch = runEpoch(stage, 2 + i);
    memory.push(memoryNow());
    return epoch;
  });
  return [rateOf(epochs), ...profile, ...growthOf(memory)];
}

async function phase(): Promise<Stage> {
  const { vocabulary, examples } = syntheticSentences(DOCUMENTS);
  const held = Math.floor(examples.length / 10);
  const [validation, train] = [examples.slice(0, held), examples.slice(held)];
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), CANDIDATES);
  const data: ThreePhaseData = { train, validation, vocabulary, candidates, labels: LABELS };
  const networks = createNetworks(data, THREE_PHASE_DEFAULTS, new Random(1));
  const pairs = {
    train: pairSource(train, candidates),
    validation: pairSource(validation, candidates),
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

async function profiled(run: () => void): Promise<Measurement[]> {
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
  readonly megabytes: number;
}

function memoryNow(): Memory {
  globalThis.gc?.();
  return { tensors: tf.memory().numTensors, megabytes: process.memoryUsage.rss() / 2 ** 20 };
}

/** Tensors and resident memory at the end, and how much more than after the first epochs. */
function growthOf(memory: readonly Memory[]): Measurement[] {
  const early = memory[Math.floor(memory.length / 4)] as Memory;
  const last = memory[memory.length - 1] as Memory;
  const peak = Math.max(...memory.map(({ megabytes }) => megabytes));
  return [
    line('P3 tensors', { rate: last.tensors, unit: '' }),
    line(`P3 tensors, grown in ${EPOCHS} epochs`, { rate: last.tensors - early.tensors, unit: '' }),
    line('P3 resident memory, most', { rate: peak, unit: 'MiB' }),
    line('P3 resident memory, grown', { rate: last.megabytes - early.megabytes, unit: 'MiB' }),
  ];
}

function line(
  name: string,
  values: { milliseconds?: number; spread?: number; rate: number; unit: string },
): Measurement {
  return { bench: 'epoch', name, threads: 0, milliseconds: 0, spread: 0, ...values };
}
