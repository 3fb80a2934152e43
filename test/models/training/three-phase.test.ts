import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import type { Parameters } from '../../../models/networks/parameters.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import {
  THREE_PHASE_DEFAULTS,
  type ThreePhaseConfig,
} from '../../../models/training/configuration/three-phase-config.js';
import { pairSource } from '../../../models/training/data/pairs.js';
import { phase3 } from '../../../models/training/phase3.js';
import { phiWords } from '../../../models/training/recipes.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import { createNetworks, trainThreePhase } from '../../../models/training/three-phase.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';

const CONFIG: ThreePhaseConfig = {
  ...THREE_PHASE_DEFAULTS,
  representation: { units: 6, dimension: 5, initialInputStddev: 0.1, initialOutputStddev: 0.1 },
  deidentifier: { ...THREE_PHASE_DEFAULTS.deidentifier, units: 6, layers: 1 },
  adversary: { units: 6 },
  learner: { learningRate: 0.01, clipNorm: 1 },
  batchSentences: 8,
  P1: { maxEpochs: 2, patience: 5 },
  P2: { maxEpochs: 2, patience: 5 },
  P3: { ...THREE_PHASE_DEFAULTS.P3, maxEpochs: 2, patience: 5 },
};

beforeAll(async () => {
  await useBackend();
});

async function toyData() {
  const vocabulary = toyVocabulary();
  const train = toyExamples(vocabulary, 40, 1);
  const validation = toyExamples(vocabulary, 12, 2);
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), 4);
  return { train, validation, vocabulary, candidates, labels: LABELS };
}

function bytesOf(arrays: NamedArrays): string {
  return Object.entries(arrays)
    .map(([name, { data }]) => `${name} ${Buffer.from(data.buffer).toString('hex')}`)
    .join('\n');
}

async function train(config: ThreePhaseConfig, context: Partial<StageContext> = {}) {
  const result = await trainThreePhase(await toyData(), config, {
    random: new Random(11),
    ...context,
  });
  const weights = (network: { parameters: Parameters }) => bytesOf(network.parameters.toArrays());
  return {
    representation: weights(result.representation),
    deidentifier: weights(result.deidentifier),
    adversary: weights(result.adversary),
    stages: result.stages,
  };
}

const skip = { maxEpochs: 0, patience: 1 };
const skipP3 = { ...CONFIG.P3, ...skip };

describe('three-phase training', () => {
  test('freezes the representation and the de-identifier, byte for byte, in P2', async () => {
    const before = await train({ ...CONFIG, P2: skip, P3: skipP3 });
    const after = await train({ ...CONFIG, P3: skipP3 });
    expect(after.representation).toBe(before.representation);
    expect(after.deidentifier).toBe(before.deidentifier);
    expect(after.adversary).not.toBe(before.adversary);
  });

  test('freezes the adversary in P1', async () => {
    const before = await train({ ...CONFIG, P1: skip, P2: skip, P3: skipP3 });
    const after = await train({ ...CONFIG, P2: skip, P3: skipP3 });
    expect(after.adversary).toBe(before.adversary);
    expect(after.representation).not.toBe(before.representation);
  });

  test('moves the de-identifier and the adversary alone in P3(a), the representation alone in (b)', async () => {
    const data = await toyData();
    const networks = createNetworks(data, CONFIG, new Random(1));
    const pairs = {
      train: pairSource(data.train, data.candidates),
      validation: pairSource(data.validation, data.candidates),
    };
    const state = () => ({
      representation: bytesOf(networks.representation.parameters.toArrays()),
      deidentifier: bytesOf(networks.deidentifier.parameters.toArrays()),
      adversary: bytesOf(networks.adversary.parameters.toArrays()),
    });
    const steps = [...phase3(networks, data, pairs, CONFIG).batches(new Random(2), 1)];
    const run = (half: typeof steps) => {
      for (const step of half) step.run();
      return state();
    };
    const before = state();
    const afterA = run(steps.slice(0, steps.length / 2));
    const afterB = run(steps.slice(steps.length / 2));
    expect(afterA.representation).toBe(before.representation);
    expect(afterA.deidentifier).not.toBe(before.deidentifier);
    expect(afterA.adversary).not.toBe(before.adversary);
    expect(afterB.representation).not.toBe(afterA.representation);
    expect(afterB.deidentifier).toBe(afterA.deidentifier);
    expect(afterB.adversary).toBe(afterA.adversary);
  });

  test('ends with the same weights for the same seed', async () => {
    const [a, b] = [await train(CONFIG), await train(CONFIG)];
    expect(b).toEqual(a);
  });

  test('resumed after an interruption, ends with the weights of an uninterrupted run', async () => {
    const whole = await train(CONFIG);
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-run-'));
    const controller = new AbortController();
    const interrupted = train(CONFIG, {
      run: await RunDirectory.open(directory, CONFIG),
      signal: controller.signal,
      progress: ({ step }) => {
        if (step.startsWith('P3, epoch 2 of')) controller.abort(new Error('interrupted'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const run = await RunDirectory.open(directory, CONFIG, { resume: true });
    expect(await train(CONFIG, { run })).toEqual(whole);
    const metrics = (await readFile(path.join(directory, 'metrics.jsonl'), 'utf8')).trim();
    const epochs = metrics.split('\n').map((line) => JSON.parse(line));
    expect(epochs.map(({ stage, epoch }) => `${stage} ${epoch}`)).toEqual([
      'P1 1',
      'P1 2',
      'P2 1',
      'P2 2',
      'P3 1',
      'P3 2',
    ]);
  });

  test('a learning rate that is far too high ends in a clear message', async () => {
    const learner = { learningRate: 1e30, clipNorm: 1e30 };
    await expect(train({ ...CONFIG, learner })).rejects.toMatchObject({
      code: 'training-diverged',
      message: expect.stringMatching(/^P1, epoch 1, step \d+: .*no checkpoint.*learning rate$/),
    });
  });

  test('that diverges names the epoch that is kept, or says that there is none', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-run-'));
    const run = await RunDirectory.open(directory, CONFIG);
    const learner = { learningRate: 1e30, clipNorm: 1e30 };
    await expect(train({ ...CONFIG, learner }, { run })).rejects.toThrow(
      `no epoch of P1 that ${directory} keeps`,
    );
    await train({ ...CONFIG, P1: { maxEpochs: 1, patience: 5 }, P2: skip, P3: skipP3 }, { run });
    const unfinished = path.join(directory, 'checkpoints', 'P1.json');
    const index = JSON.parse(await readFile(unfinished, 'utf8'));
    await writeFile(unfinished, JSON.stringify({ ...index, finished: false }));
    await expect(train({ ...CONFIG, learner }, { run })).rejects.toThrow(
      /^P1, epoch 2, .*epoch 1 is the last one of P1 that .*start anew, in another directory/,
    );
  });
});
