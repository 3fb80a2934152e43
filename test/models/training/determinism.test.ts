import { beforeAll, describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { trainCertified } from '../../../models/training/certified.js';
import { CERTIFIED_DEFAULTS } from '../../../models/training/configuration/certified-config.js';
import {
  THREE_PHASE_DEFAULTS,
  type ThreePhaseConfig,
} from '../../../models/training/configuration/three-phase-config.js';
import { pairSource } from '../../../models/training/data/pairs.js';
import { phase3 } from '../../../models/training/phase3.js';
import { phiWords } from '../../../models/training/recipes.js';
import type { Stage } from '../../../models/training/run/stage.js';
import { createNetworks, trainThreePhase } from '../../../models/training/three-phase.js';
import type { ThreePhaseData } from '../../../models/training/three-phase-data.js';
import { instructionSets } from '../tensor/native-session.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';
import { weightsOf } from './toy-training.js';

/** Large enough that the kernels share their work out between threads. */
const CONFIG: ThreePhaseConfig = {
  ...THREE_PHASE_DEFAULTS,
  representation: { ...THREE_PHASE_DEFAULTS.representation, units: 64 },
  deidentifier: { ...THREE_PHASE_DEFAULTS.deidentifier, units: 64 },
  adversary: { units: 72 },
};

/** So small that the kernels of every instruction set have time for it, in batches that are shared out. */
const SMALL: ThreePhaseConfig = {
  ...CONFIG,
  representation: { ...CONFIG.representation, units: 20, dimension: 20 },
  deidentifier: { ...CONFIG.deidentifier, units: 20 },
  adversary: { units: 20 },
  batchSentences: 16,
};

const ONE = { maxEpochs: 1, patience: 1 };

beforeAll(() => useBackend());

async function dataOf(sentences: number): Promise<ThreePhaseData> {
  const vocabulary = toyVocabulary();
  const train = toyExamples(vocabulary, sentences, 1);
  const validation = toyExamples(vocabulary, 16, 2);
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), 4);
  return { train, validation, vocabulary, candidates, labels: LABELS };
}

/** P3 over sentences of toy notes, with fresh networks. */
async function stageOf(config: ThreePhaseConfig, sentences: number): Promise<Stage> {
  const data = await dataOf(sentences);
  const { train, validation, candidates } = data;
  const pairs = {
    train: pairSource(train, candidates),
    validation: pairSource(validation, candidates),
  };
  return phase3(createNetworks(data, config, new Random(1)), data, pairs, config);
}

function runEpoch(stage: Stage, epoch: number): void {
  const random = new Random(2).fork(`${epoch}`);
  for (const batch of stage.batches(random.fork('train'), epoch)) batch.run();
  stage.validate(random.fork('validate'), epoch);
}

/** Every weight and moment after an epoch with so many threads. */
async function bytesAfterEpoch(threads: number): Promise<Buffer> {
  const before = nativeFunction('setThreadCount')(threads);
  try {
    const stage = await stageOf(CONFIG, 96);
    runEpoch(stage, 1);
    const arrays = [
      ...Object.values(stage.networks).map((network) => network.toArrays()),
      ...Object.values(stage.optimisers).map((optimiser) => optimiser.state()),
    ].flatMap((named) => Object.values(named));
    return Buffer.concat(arrays.map(({ data }) => Buffer.from(data.buffer)));
  } finally {
    nativeFunction('setThreadCount')(before);
  }
}

/** Every weight after an epoch each of P1, P2 and P3, and of the certified objective. */
async function bytesAfterAllPhases(threads: number): Promise<string> {
  const before = nativeFunction('setThreadCount')(threads);
  try {
    const config = { ...SMALL, P1: ONE, P2: ONE, P3: { ...SMALL.P3, ...ONE } };
    const certified = { ...config, certified: { ...CERTIFIED_DEFAULTS, ...ONE, warmupEpochs: 0 } };
    const data = await dataOf(32);
    const context = () => ({ random: new Random(3) });
    const { stages, ...networks } = await trainThreePhase(data, config, context());
    const adversarial = weightsOf(networks);
    await trainCertified(networks, data, certified, context());
    const all = [adversarial, weightsOf(networks)];
    expect(all[1]?.representation).not.toBe(adversarial.representation);
    for (const network of Object.values(networks)) network.dispose();
    return JSON.stringify(all);
  } finally {
    nativeFunction('setThreadCount')(before);
  }
}

describe.each(instructionSets())('an epoch of each phase with %s', (isa) => {
  test('gives the same weights, bit for bit, again and with one thread or two', async () => {
    const before = nativeFunction('useIsa')(isa);
    try {
      const first = await bytesAfterAllPhases(1);
      for (const threads of [1, 2, 2]) expect(await bytesAfterAllPhases(threads)).toBe(first);
    } finally {
      nativeFunction('useIsa')(before);
    }
  });
});

describe('an epoch of adversarial training', () => {
  test('gives the same weights, bit for bit, again and with any number of threads', async () => {
    const first = await bytesAfterEpoch(2);
    for (const threads of [2, 1, 3]) {
      expect(first.equals(await bytesAfterEpoch(threads))).toBe(true);
    }
  });

  test('leaves no tensor behind in twenty', async () => {
    const small = {
      ...CONFIG,
      representation: { ...CONFIG.representation, units: 8 },
      deidentifier: { ...CONFIG.deidentifier, units: 8 },
      adversary: { units: 8 },
    };
    const stage = await stageOf(small, 64);
    runEpoch(stage, 1);
    const { numTensors, numBytes } = tf.memory();
    for (let epoch = 2; epoch <= 20; epoch++) runEpoch(stage, epoch);
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
  });
});
