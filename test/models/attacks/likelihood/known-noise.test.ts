import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AttackReport, conduct } from '../../../../models/attacks/attack.js';
import {
  noiseOff,
  pureNoise,
  rawEmbeddings,
  viewOf,
} from '../../../../models/attacks/baseline-views.js';
import { certifiedBound } from '../../../../models/attacks/certified-bound.js';
import { freshTrainingAdversary } from '../../../../models/attacks/learned/continued-adversary.js';
import { knownNoise } from '../../../../models/attacks/likelihood/known-noise.js';
import { contradictsLimit } from '../../../../models/attacks/report/verdict.js';
import type { View } from '../../../../models/networks/view.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import * as tf from '../../../../models/tensor/tf.js';
import { DIMENSION } from '../../training/toy-notes.js';
import { type ToyOptions, toyContext, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

async function attacked(options: ToyOptions, rounds = 1) {
  const target = await toyTarget(options);
  const context = await toyContext(target, { rounds });
  const attack = knownNoise({ releases: [1, 4, 16], draws: 8 });
  const [word, listed, twins] = (await conduct(attack, target, context)) as [
    AttackReport,
    AttackReport,
    AttackReport,
  ];
  return { target, context, word, listed, twins };
}

describe('the known-noise attack', () => {
  test('names every word where the noise is off, and in raw embeddings', async () => {
    for (const view of [noiseOff, rawEmbeddings]) {
      const { word, listed, twins } = await attacked({ view });
      expect(word.success.value).toBe(1);
      // One move in six stays put, and such a fake is called real.
      for (const pairs of [listed, twins]) expect(pairs.success.value).toBeGreaterThan(0.85);
      expect(twins.pairs?.auc).toBeGreaterThan(0.88);
    }
  });

  test('names every word where the noise is off, however little the vectors move', async () => {
    const { word } = await attacked({ view: (view) => noiseOff(hardlyMoving(view)) });
    expect(word.success.value).toBeGreaterThan(0.97);
  });

  test('is at chance on pure noise, and so are its limits', async () => {
    const { word, listed, twins } = await attacked({ view: pureNoise }, 3);
    expect(word.chance).toBeCloseTo(1 / 6, 10);
    expect(word.limit?.value).toBeCloseTo(1 / 6, 10);
    expect(word.success.interval[0]).toBeLessThanOrEqual(1 / 6);
    expect(word.success.interval[1]).toBeGreaterThanOrEqual(1 / 6);
    expect(listed.success.value).toBeCloseTo(0.5, 1);
    expect(twins.limit?.value).toBe(0.5);
  });

  test('finds a planted leak at its size, which is the bound where there is no input noise', async () => {
    const gap = 0.8;
    const target = await toyTarget({ view: (view) => planted(view, gap) });
    const context = await toyContext(target, { rounds: 20, draws: 1 });
    const attack = knownNoise({ trials: 2, draws: 1, releases: [1] });
    const [, , { success, limit }] = await conduct(attack, target, context);
    expect(limit?.value).toBeGreaterThan(0.55);
    // Over three standard errors of 1,500 pairs.
    expect(Math.abs(success.value - (limit?.value ?? 0))).toBeLessThan(0.04);
  });

  test('beats a weak learned adversary where words lie far apart, and no limit anywhere', async () => {
    const { target, context, word, listed, twins } = await attacked({ outputStddev: 0.05 });
    const limits = { maxEpochs: 2, patience: 2 };
    const [weak] = await conduct(freshTrainingAdversary({ units: 2, limits }), target, context);
    expect(listed.success.value).toBeGreaterThan((weak as AttackReport).success.value);
    expect(listed.pairs?.auc).toBeGreaterThan((weak as AttackReport).pairs?.auc ?? 1);
    expect(word.success.corrected[0]).toBeGreaterThan(word.chance);
    for (const report of [word, listed, twins, weak as AttackReport]) {
      expect(contradictsLimit(report)).toBe(false);
      expect(report.limit?.value).toBeGreaterThan(report.chance);
    }
  });

  test('gains from every further release, within the limit for as many', async () => {
    const { word, twins } = await attacked({ outputStddev: 0.3 });
    for (const { curves } of [word, twins]) {
      const [first, , last] = curves[0].points;
      expect(last.success).toBeGreaterThan(first.success);
      for (const { interval, limit } of curves[0].points)
        expect(interval[0]).toBeLessThanOrEqual(limit ?? 0);
    }
  });

  test('tells all pairs apart, however few words it names, within the same bound', async () => {
    const target = await toyTarget({ sentences: [40, 20, 40] });
    const context = await toyContext(target, { rounds: 2, draws: 4 });
    const attack = knownNoise({ trials: 5, draws: 4, releases: [1, 2] });
    const [word, listed, twins] = await conduct(attack, target, context);
    expect(word.trials).toBe(5);
    const { bound } = certifiedBound(context);
    for (const { trials, limit } of [listed, twins]) {
      expect(trials).toBe(context.trials.length);
      expect(limit?.value).toBeCloseTo(bound.value, 12);
    }
  });

  test('gives equal reports for equal seeds', async () => {
    const [one, other] = [await attacked({}), await attacked({})];
    expect(one.word).toEqual(other.word);
  });
});

/** Copies the word vectors, `gap` times, under noise of one. */
function planted(view: Parameters<typeof rawEmbeddings>[0], gap: number) {
  return viewOf(
    {
      embed: view.embed.bind(view),
      mean: (x) => x.mul(gap),
      inputDimension: DIMENSION,
      config: { dimension: DIMENSION },
    },
    { input: () => tf.zeros([DIMENSION]), output: () => tf.ones([DIMENSION]) },
  );
}

/** f that a word moves by some 1e-3, on unit vectors. */
function hardlyMoving(view: View): View {
  return viewOf(
    {
      inputDimension: view.inputDimension,
      embed: view.embed.bind(view),
      config: view.config,
      mean: (x, lengths) =>
        tf.tidy(() =>
          view
            .mean(x, lengths)
            .mul(5e-4)
            .add<tf.Tensor3D>(view.config.dimension ** -0.5),
        ),
    },
    { input: () => view.inputStddev(), output: () => view.outputStddev() },
  );
}
