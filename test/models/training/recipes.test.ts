import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import { tokensOf } from '../../../models/training/data/batch.js';
import {
  type PreparedNotes,
  trainAdversarial,
  trainAugmented,
  trainByGradientReversal,
  trainCertifiedRepresentation,
  trainPseudonymised,
  trainRaw,
} from '../../../models/training/recipes.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import { TOY_CONFIG, toyData, weightsOf } from './toy-training.js';

beforeAll(() => useBackend());

const scheme = loadLabelScheme('phi-binary');
const RECIPES = {
  raw: trainRaw,
  pseudonymized: trainPseudonymised,
  augmented: trainAugmented,
  adversarial: trainAdversarial,
  dann: trainByGradientReversal,
  certified: trainCertifiedRepresentation,
};
type Kind = keyof typeof RECIPES;
const KINDS = Object.keys(RECIPES) as Kind[];
/** The stage that each kind is interrupted in, within its second epoch. */
const LAST: Record<Kind, string> = {
  ...{ raw: 'supervised', pseudonymized: 'supervised', augmented: 'supervised' },
  ...{ adversarial: 'P3', dann: 'dann', certified: 'certified' },
};

async function notes(): Promise<PreparedNotes> {
  const { train, validation, vocabulary } = await toyData();
  return {
    train: [...train],
    validation: [...validation],
    vocabulary,
    documents: { train: 10, validation: 3 },
    trainDocuments: [],
    validationDocuments: [],
  };
}

async function train(
  kind: Kind,
  context: Partial<StageContext> = {},
  config: TrainingConfig = TOY_CONFIG,
) {
  const random = new Random(11);
  const result = await RECIPES[kind](await notes(), scheme, config, { random, ...context });
  const networks = Object.fromEntries(
    ['representation', 'deidentifier', 'adversary'].flatMap((name) =>
      name in result ? [[name, result[name as 'deidentifier']]] : [],
    ),
  );
  return weightsOf(networks);
}

describe.each(KINDS)('training of kind %s', (kind) => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tacet-recipe-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('interrupted and resumed ends with the weights of an uninterrupted run', async () => {
    const whole = await train(kind);
    const controller = new AbortController();
    const interrupted = train(kind, {
      run: await RunDirectory.open(directory, TOY_CONFIG),
      signal: controller.signal,
      progress: ({ step }) => {
        if (step.startsWith(`${LAST[kind]}, epoch 2 of`))
          controller.abort(new Error('interrupted'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const run = await RunDirectory.open(directory, TOY_CONFIG, { resume: true });
    expect(await train(kind, { run })).toEqual(whole);
  });

  test('leaves its statistics in the run directory where PHI moves', async () => {
    const text = readFile(path.join(directory, 'statistics.json'), 'utf8');
    if (kind === 'raw') await expect(text).rejects.toThrow('ENOENT');
    else expect(JSON.parse(await text)).toMatchObject({ neighbours: 4, train: { immovable: 0 } });
  });

  test('with a learning rate that is far too high ends in a clear message', async () => {
    const learner = { learningRate: 1e30, clipNorm: 1 };
    await expect(train(kind, {}, { ...TOY_CONFIG, learner })).rejects.toMatchObject({
      code: 'training-diverged',
      message: expect.stringMatching(/^(supervised|P1|dann), epoch 1, step \d+: .*learning rate/),
    });
  });

  test('is not taken for diverged where each token of PHI counts much', async () => {
    const { deidentifier } = TOY_CONFIG;
    const weighted = { network: 'sequence-to-sequence', heads: 2, phiWeight: 50 } as const;
    const learner = { learningRate: 1e-6, clipNorm: 1 };
    const config = { ...TOY_CONFIG, learner, deidentifier: { ...deidentifier, ...weighted } };
    await expect(train(kind, {}, config)).resolves.toHaveProperty('deidentifier');
  });

  test('with a learning rate that ends finitely, but far above guessing, does not end well', async () => {
    const config = { ...TOY_CONFIG, learner: { learningRate: 1000, clipNorm: 1 } };
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-recipe-'));
    const diverged = {
      code: 'training-diverged',
      message: expect.stringMatching(
        /^(supervised|P1|dann): the best of 2 epochs \([12]\) has a validation l_deid of [\d.]+ a token, where guessing costs 1\.099; epoch 2 is the last one of (supervised|P1|dann) that .* keeps; resumed .* start anew/,
      ),
    };
    const run = await RunDirectory.open(directory, config);
    await expect(train(kind, { run }, config)).rejects.toMatchObject(diverged);
    const again = await RunDirectory.open(directory, config, { resume: true });
    await expect(train(kind, { run: again }, config)).rejects.toMatchObject(diverged);
    await rm(directory, { recursive: true });
  });
});

test.each([
  ['raw', 1],
  ['pseudonymized', 1],
  // The notes of an epoch, and a pseudonymised copy of them.
  ['augmented', 2],
  ['dann', 1],
] as const)(
  'training of kind %s has copies in turn, as many an epoch as were asked for',
  async (kind, times) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-recipe-'));
    const run = await RunDirectory.open(directory, TOY_CONFIG);
    const own = await notes();
    const copies = [1, 2, 3].map(() => own.train.map((example) => ({ ...example })));
    const turns = { originals: own.train, copies, perEpoch: 1 };
    const all = { ...own, train: [...own.train, ...copies.flat()], turns };
    await RECIPES[kind](all, scheme, TOY_CONFIG, { random: new Random(11), run });
    const tokens = tokensOf(own.train);
    const epochs = await run.epochs(LAST[kind]);
    expect(epochs.map((epoch) => epoch.tokens)).toEqual(epochs.map(() => times * 2 * tokens));
    await rm(directory, { recursive: true });
  },
);

test('the limit where noise depends on the input takes validation notes of one patient for one', async () => {
  const dependent = { ...TOY_CONFIG.representation, noise: 'dependent' } as const;
  const config = { ...TOY_CONFIG, representation: dependent };
  const own = await notes();
  const count = 1 + Math.max(...own.validation.map(({ documentIndex }) => documentIndex));
  const validationDocuments = Array.from({ length: count }, (_, i) => {
    return { id: `100-${10 + i}`, text: `note ${i}`, spans: [] };
  });
  const { limit } = await trainAdversarial({ ...own, validationDocuments }, scheme, config, {
    random: new Random(11),
  });
  expect(limit?.interval).toEqual([0.5, 1]);
});

describe('the certified objective', () => {
  test('leaves the adversary alone, byte for byte, and the adversary after it the rest', async () => {
    const none = { ...TOY_CONFIG, P2: { maxEpochs: 0, patience: 1 } };
    const skipped = { ...none, certified: { ...none.certified, maxEpochs: 0 } };
    const threePhases = await train('certified', {}, skipped);
    const certified = await train('certified', {}, none);
    const followed = await train('certified');
    expect(certified.adversary).toBe(threePhases.adversary);
    expect(certified.representation).not.toBe(threePhases.representation);
    expect(certified.deidentifier).not.toBe(threePhases.deidentifier);
    expect(followed.adversary).not.toBe(certified.adversary);
    expect(followed.representation).toBe(certified.representation);
    expect(followed.deidentifier).toBe(certified.deidentifier);
  });
});
