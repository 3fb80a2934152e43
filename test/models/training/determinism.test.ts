import { beforeAll, describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { pairSource } from '../../../models/training/pairs.js';
import { phase3 } from '../../../models/training/phase3.js';
import { phiWords } from '../../../models/training/recipes.js';
import type { Stage } from '../../../models/training/stage.js';
import {
  createNetworks,
  THREE_PHASE_DEFAULTS,
  type ThreePhaseConfig,
} from '../../../models/training/three-phase.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';

/** Large enough that the kernels share their work out between threads. */
const CONFIG: ThreePhaseConfig = {
  ...THREE_PHASE_DEFAULTS,
  representation: { ...THREE_PHASE_DEFAULTS.representation, units: 64 },
  deidentifier: { ...THREE_PHASE_DEFAULTS.deidentifier, units: 64 },
  adversary: { units: 72 },
};

beforeAll(() => useBackend());

/** P3 over sentences of toy notes, with fresh networks. */
async function stageOf(config: ThreePhaseConfig, sentences: number): Promise<Stage> {
  const vocabulary = toyVocabulary();
  const train = toyExamples(vocabulary, sentences, 1);
  const validation = toyExamples(vocabulary, 16, 2);
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), 4);
  const data = { train, validation, vocabulary, candidates, labels: LABELS };
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
  const before = nativeFunction('setThreadCount')(threads) as number;
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
