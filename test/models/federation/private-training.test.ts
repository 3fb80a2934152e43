import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  clippedSums,
  mechanismOf,
  type PrivateDraws,
  privateEpoch,
  SECURE_DRAWS,
} from '../../../models/federation/private-training.js';
import type { ReadText } from '../../../models/networks/text-network.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type * as tf from '../../../models/tensor/tf.js';
import { TacetError } from '../../../proto/errors.js';
import { toyTexts, toyTraining } from './toy-texts.js';

const CONFIG = { learningRate: 0.01, samplingRate: 0.5, clipNorm: 0.1, noiseMultiplier: 1 };

beforeEach(async () => void (await useBackend('native')));
afterEach(() => useBackend('cpu'));

/** Draws that see every text and keep what was asked for. */
function recorded(normal: number): PrivateDraws & { asked: number } {
  return {
    asked: 0,
    uniform: () => 0,
    normals(n) {
      this.asked += n;
      return new Float32Array(n).fill(normal);
    },
  };
}

test('every weight gets its own noise in every step', async () => {
  const training = toyTraining(toyTexts(3, 1));
  const draws = recorded(0);
  await privateEpoch(training, CONFIG, draws);
  expect(draws.asked).toBe(2 * training.weights().length);
});

test.each([0, 0.5])(
  'one text moves the sum that noise is added to by no more than the norm, at a dropout of %p',
  async (dropout) => {
    const training = toyTraining(toyTexts(4, 2), { dropout });
    const sumOf = async (texts: typeof training.texts) => {
      const draws = { uniform: () => 0.3 };
      const { sums } = await clippedSums(training, texts, CONFIG.clipNorm, draws);
      return sums.flatMap((sum) => [...sum]);
    };
    const all = await sumOf(training.texts);
    const without = await sumOf(training.texts.slice(1));
    const distance = Math.hypot(...all.map((value, i) => value - (without[i] as number)));
    expect(distance).toBeLessThanOrEqual(CONFIG.clipNorm * 1.0001);
    // So tight that this text's gradient was scaled down to it.
    expect(distance).toBeGreaterThan(CONFIG.clipNorm * 0.9999);
  },
);

test('epochs are counted as the steps that they are', () => {
  expect(mechanismOf({ ...CONFIG, samplingRate: 0.02 }, 3)).toEqual({
    samplingRate: 0.02,
    noiseMultiplier: 1,
    steps: 150,
  });
});

test('draws for real texts cannot be repeated', async () => {
  const changes = await Promise.all(
    [1, 2].map(async () => {
      const training = toyTraining(toyTexts(2, 1));
      await privateEpoch(training, CONFIG, SECURE_DRAWS);
      return training.weights();
    }),
  );
  expect(changes[0]).not.toEqual(changes[1]);
});

test('a text whose loss is no number adds nothing, and ends nothing, whatever the weights are', async () => {
  const training = toyTraining(toyTexts(3, 1));
  const [first, ...others] = training.texts;
  const none = (random?: Random) => (first as ReadText).loss(random).mul<tf.Scalar>(Number.NaN);
  const bad = { ...(first as ReadText), loss: none };
  const refusing = {
    ...(first as ReadText),
    loss: (): tf.Scalar => {
      throw new TacetError('tensor-invalid', 'dense: gave no numbers');
    },
  };
  const sumOf = (texts: typeof training.texts) =>
    clippedSums(training, texts, CONFIG.clipNorm, { uniform: () => 0.3 });
  const { sums } = await sumOf(others);
  expect(await sumOf([bad, refusing, ...others])).toEqual({ sums, leftOut: 2 });
  const huge = training.weights().map((value, i) => (i % 2 === 0 ? 3e38 : value));
  training.load(huge);
  expect(() => first?.loss(new Random(1)).dataSync()).toThrow(TacetError);
  const seesAll = { ...SECURE_DRAWS, uniform: () => 0 };
  expect(await privateEpoch(training, CONFIG, seesAll)).toBe(2 * training.texts.length);
});
