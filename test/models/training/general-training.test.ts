import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Representation } from '../../../models/networks/representation.js';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainCertified } from '../../../models/training/certified.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import {
  GENERAL_OBJECTIVES,
  type GeneralConfig,
} from '../../../models/training/configuration/general-config.js';
import { batchOf, lengthBuckets, paddedIds } from '../../../models/training/data/batch.js';
import type { UnlabelledText } from '../../../models/training/data/unlabelled.js';
import { deidentifierLoss } from '../../../models/training/deidentifier-loss.js';
import { GeneralLoss, meanLoss } from '../../../models/training/general/general-loss.js';
import { labelledTargets } from '../../../models/training/general/general-targets.js';
import {
  createGeneralTask,
  type GeneralTask,
} from '../../../models/training/general/general-task.js';
import { trainCertifiedRepresentation } from '../../../models/training/recipes.js';
import { Learner } from '../../../models/training/run/learner.js';
import type { EpochRecord } from '../../../models/training/run/metrics-file.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import { createNetworks, trainPhase1 } from '../../../models/training/three-phase.js';
import { DIMENSION, toyExamples } from './toy-notes.js';
import { TOY_CONFIG, toyData, weightsOf } from './toy-training.js';

const OBJECTIVES = GENERAL_OBJECTIVES.filter((each) => each !== 'none');
/** Enough of the toy's words for groups of more than one; half of them hidden, so that every batch has some. */
const GENERAL: GeneralConfig = {
  objective: 'own-word',
  ...{ weight: 1, units: 0, maskedShare: 0.5, clusters: 3 },
};

beforeAll(() => useBackend());

const configOf = (general: Partial<GeneralConfig>, over: Partial<TrainingConfig> = {}) => ({
  ...TOY_CONFIG,
  ...over,
  general: { ...GENERAL, ...general },
});

/** Toy notes, and where `sentences` says so, toy sentences whose labels nobody gave. */
async function dataOf(config: TrainingConfig, sentences = 0) {
  const data = await toyData();
  const texts = (count: number, seed: number) =>
    toyExamples(data.vocabulary, count, seed).map((example) => ({
      ...example,
      labels: new Uint8Array(example.labels.length),
    }));
  const unlabelled: UnlabelledText | undefined =
    sentences === 0
      ? undefined
      : {
          train: texts(sentences, 7),
          validation: texts(8, 8),
          documents: { train: Math.ceil(sentences / 4), validation: 2 },
        };
  const general = createGeneralTask({ ...data, unlabelled }, config, { random: new Random(11) });
  return { ...data, unlabelled, general };
}

/** The weights after P1 and, where the configuration has some, epochs of the certified objective. */
async function trained(config: TrainingConfig, sentences = 0) {
  const data = await dataOf(config, sentences);
  const { stages, ...networks } = await trainPhase1(data, config, { random: new Random(11) });
  await trainCertified(networks, data, config, { random: new Random(11) });
  return { weights: weightsOf(networks), best: stages.P1?.best };
}

describe('without a general objective', () => {
  test('P1 is the plain loop over l_deid, bit for bit', async () => {
    const config = configOf({ objective: 'none', units: 4, weight: 3 });
    const data = await dataOf(config);
    expect(data.general).toBeUndefined();
    const { stages: _, ...networks } = await trainPhase1(data, config, { random: new Random(11) });

    const root = new Random(11);
    const plain = createNetworks(data, config, root.fork('initialise'));
    const { representation, deidentifier } = plain;
    const learner = new Learner(
      [representation.parameters, deidentifier.parameters],
      config.learner,
    );
    for (const epoch of [1, 2]) {
      const random = root.fork(`P1/epoch-${epoch}`).fork('train');
      for (const batch of lengthBuckets(data.train, config.batchSentences, random))
        learner.step(() => {
          const ids = paddedIds(
            batch.examples.map((example) => example.ids),
            batch.steps,
          );
          const x = representation.embed(data.vocabulary, ids, batch.steps);
          const releases = representation.forward(x, batch.lengths, random);
          return deidentifierLoss(deidentifier, releases, batch, random);
        });
    }
    expect(weightsOf(networks)).toEqual(weightsOf({ ...plain }));
  });

  test('text without labels changes nothing', async () => {
    const config = configOf({ objective: 'none' });
    expect((await trained(config, 30)).weights).toEqual((await trained(config)).weights);
  });
});

describe.each(OBJECTIVES)('the general objective %s', (objective) => {
  const batchLosses = async (units = 0) => {
    const config = configOf({ objective, units });
    const data = await dataOf(config);
    const { vocabulary, train, general } = data;
    const { representation } = createNetworks(data, config, new Random(1));
    const loss = new GeneralLoss(
      representation,
      vocabulary,
      general as GeneralTask,
      config.general,
    );
    const batch = batchOf(train.slice(0, 16));
    const value = (seed: number) =>
      meanLoss(
        loss.of(
          batch,
          labelledTargets(vocabulary, (general as GeneralTask).naming),
          new Random(seed),
        ),
      ) as tf.Scalar;
    return { representation, task: general as GeneralTask, value };
  };

  test.each([0, 5])(
    'moves every weight of f and of its heads of %i hidden units',
    async (units) => {
      const { representation, task, value } = await batchLosses(units);
      const { trained: _, ...own } = Object.fromEntries(
        Object.keys(representation.parameters.toArrays()).map((name, i) => [
          name,
          representation.parameters.variables()[i] as tf.Variable,
        ]),
      );
      const variables = [...Object.values(own), ...task.heads.parameters.variables()];
      const { grads } = tf.variableGrads(() => value(2), variables);
      const still = variables.filter(({ name }) => tf.max(tf.abs(grads[name])).dataSync()[0] === 0);
      expect(still).toEqual([]);
    },
  );

  test('falls where f and its heads learn it alone', async () => {
    const { representation, task, value } = await batchLosses();
    const learner = new Learner([representation.parameters, task.heads.parameters], {
      learningRate: 0.02,
      clipNorm: 1,
    });
    const [before] = value(999).dataSync();
    for (let step = 0; step < 150; step++) learner.step(() => value(step));
    const [after] = value(999).dataSync();
    // What stands beside a word or was hidden is drawn by chance, so that only its mean can be learned.
    const isGuessed = objective === 'neighbours' || objective === 'masked-word';
    expect(after).toBeLessThan((isGuessed ? 0.9 : 0.7) * Number(before));
  });

  test('changes f, more so with text that has no labels, and is reported', async () => {
    const none = await trained(configOf({ objective: 'none' }));
    const alone = await trained(configOf({ objective }));
    const beside = await trained(configOf({ objective }), 30);
    expect(alone.weights.representation).not.toBe(none.weights.representation);
    expect(beside.weights.representation).not.toBe(alone.weights.representation);
    expect(alone.best).toMatchObject({ l_general: expect.any(Number) });
    expect(alone.best).not.toHaveProperty('l_unlabelled');
    expect(beside.best).toMatchObject({ l_unlabelled: expect.any(Number) });
    expect(beside.best?.monitor).toBe(beside.best?.l_deid);
  });

  test('leaves the draws of the other losses alone: weighing nothing, it changes nothing', async () => {
    const none = await trained(configOf({ objective: 'none' }));
    const weightless = await trained(configOf({ objective, weight: 0 }), 30);
    expect(weightless.weights).toEqual(none.weights);
  });

  test('gives the same weights with one thread or two, and leaves no tensor behind', async () => {
    const run = async (threads: number) => {
      const before = nativeFunction('setThreadCount')(threads);
      try {
        return (await trained(configOf({ objective }), 30)).weights;
      } finally {
        nativeFunction('setThreadCount')(before);
      }
    };
    expect(await run(2)).toEqual(await run(1));
    const { value } = await batchLosses();
    const { numTensors } = tf.memory();
    for (let i = 0; i < 3; i++) tf.tidy(() => void value(i));
    expect(tf.memory().numTensors).toBe(numTensors);
  });
});

describe('a release under the general objective', () => {
  test('is read token by token: what a head says of one token depends on no other release', async () => {
    const { general } = await dataOf(configOf({}));
    const { heads } = general as GeneralTask;
    const d = TOY_CONFIG.representation.dimension;
    const r = tf.tensor2d(new Random(4).normals(3 * d), [3, d]);
    const all = heads.predict('word', r);
    expect(all.shape).toEqual([3, DIMENSION]);
    const one = heads.predict('word', r.slice([1, 0], [1, d]));
    expect([...one.dataSync()]).toEqual([...all.slice([1, 0], [1, DIMENSION]).dataSync()]);
  });

  test('of a hidden word does not depend on the word', async () => {
    const { vocabulary } = await toyData();
    const config = { ...TOY_CONFIG.representation, embeddingDimension: DIMENSION };
    const representation = Representation.create(config, new Random(1));
    const embedded = (id: number) =>
      representation.embed(vocabulary, Int32Array.from([0, id, 2]), 3).dataSync();
    const { inputDimension: I } = representation;
    expect(embedded(-1).slice(I, 2 * I)).toEqual(new Float32Array(I));
    expect(embedded(-1).slice(0, I)).toEqual(embedded(1).slice(0, I));
  });
});

describe('certified training with a general objective and text without labels', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tacet-general-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const config = configOf({ objective: 'neighbours', units: 4 });
  const train = async (context: Partial<StageContext> = {}) => {
    const { train, validation, vocabulary, unlabelled } = await dataOf(config, 30);
    const notes = {
      ...{ train: [...train], validation: [...validation], vocabulary, unlabelled },
      documents: { train: 10, validation: 3 },
      trainDocuments: [],
      validationDocuments: [],
    };
    const random = new Random(11);
    const scheme = loadLabelScheme('phi-binary');
    const result = await trainCertifiedRepresentation(notes, scheme, config, {
      random,
      ...context,
    });
    const { representation, deidentifier, adversary } = result;
    return weightsOf({ representation, deidentifier, adversary });
  };

  test.each(['P1', 'certified'])(
    'interrupted in %s and resumed ends with the weights of an uninterrupted run',
    async (stage) => {
      const out = path.join(directory, stage);
      const whole = await train();
      const controller = new AbortController();
      const interrupted = train({
        run: await RunDirectory.open(out, config),
        signal: controller.signal,
        progress: ({ step }) => {
          if (step.startsWith(`${stage}, epoch 2 of`)) controller.abort(new Error('interrupted'));
        },
      });
      await expect(interrupted).rejects.toThrow('interrupted');
      const run = await RunDirectory.open(out, config, { resume: true });
      expect(await train({ run })).toEqual(whole);
      const lines = (await readFile(path.join(out, 'metrics.jsonl'), 'utf8')).trim().split('\n');
      const records = lines.map((line) => JSON.parse(line) as EpochRecord);
      const general = records.filter((each) => ['P1', 'certified'].includes(each.stage));
      expect(general).toHaveLength(4);
      for (const { train, validation } of general) {
        expect(train).toMatchObject({ l_general: expect.any(Number) });
        expect(validation).toMatchObject({
          ...{ l_general: expect.any(Number), l_unlabelled: expect.any(Number) },
        });
      }
    },
  );
});
