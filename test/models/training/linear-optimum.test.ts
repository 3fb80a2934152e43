import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  greatestAdvantages,
  squaredDistances,
} from '../../../models/certification/squared-distances.js';
import { Adversary, type PairBatch } from '../../../models/networks/adversary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { standardNormalCdf } from '../../../models/tensor/standard-normal.js';
import * as tf from '../../../models/tensor/tf.js';
import { pairLoss } from '../../../models/training/adversarial-batch.js';
import { Learner } from '../../../models/training/run/learner.js';

const [T, E] = [2, 3];
/** f is linear and keeps the dimensions apart, so the optimum has a closed form. */
const GAINS = [0.8, -0.3, 0.5];
const SIGMA_OUT = [0.4, 0.3, 0.6];
const x = Float32Array.of(1, 0.2, -0.5, 0.3, 0.7, 0.1);
const twin = Float32Array.of(0.4, 0.2, 0.1, 0.3, 0.7, 0.1);

beforeAll(() => useBackend());

function linearView(inputStddev: number) {
  return {
    mean: (at: tf.Tensor3D) => at.mul<tf.Tensor3D>(tf.tensor1d(GAINS)),
    inputStddev: () => tf.fill([E], inputStddev) as tf.Tensor1D,
    outputStddev: () => tf.tensor1d(SIGMA_OUT),
  };
}

/** The advantage of the best test of all: both noises together are one Gaussian where f is linear. */
function exactAdvantage(inputStddev: number): number {
  let squared = 0;
  for (let i = 0; i < T * E; i++) {
    const k = i % E;
    const variance = (GAINS[k] * inputStddev) ** 2 + SIGMA_OUT[k] ** 2;
    squared += (GAINS[k] * (x[i] - twin[i])) ** 2 / variance;
  }
  return 2 * standardNormalCdf(Math.sqrt(squared) / 2) - 1;
}

function estimated(inputStddev: number): number {
  const copies = 64;
  const repeat = (values: Float32Array) =>
    tf.tensor3d(values, [1, T, E]).tile<tf.Tensor3D>([copies, 1, 1]);
  const lengths = new Int32Array(copies).fill(T);
  return tf.tidy(
    () =>
      greatestAdvantages(
        squaredDistances(linearView(inputStddev), repeat(x), repeat(twin), lengths, new Random(1)),
      )
        .mean()
        .dataSync<'float32'>()[0],
  );
}

/** P pairs as an adversary sees them: x, a release of it, and one of x (real) or of its twin. */
function drawPairs(pairs: number, inputStddev: number, random: Random) {
  const real = Float32Array.from({ length: pairs }, () => random.integer(2));
  const sentences = (other: Float32Array) => {
    const values = new Float32Array(pairs * T * E);
    real.forEach((isReal, pair) => {
      values.set(isReal === 1 ? x : other, pair * T * E);
    });
    return tf.tensor3d(values, [pairs, T, E]);
  };
  const shape: [number, number, number] = [pairs, T, E];
  const normals = () => tf.tensor3d(random.normals(pairs * T * E), shape);
  const release = (at: tf.Tensor3D) =>
    at
      .add<tf.Tensor3D>(normals().mul(inputStddev))
      .mul<tf.Tensor3D>(tf.tensor1d(GAINS))
      .add<tf.Tensor3D>(normals().mul(tf.tensor1d(SIGMA_OUT)));
  const embeddings = sentences(x);
  const batch: PairBatch = {
    embeddings,
    first: release(embeddings),
    second: release(sentences(twin)),
    lengths: new Int32Array(pairs).fill(T),
  };
  return { pairs: batch, releases: batch.first, real };
}

describe('the estimate of the greatest advantage, where f is linear', () => {
  test('is the exact optimum without input noise, and no less with it', () => {
    expect(estimated(0)).toBeCloseTo(exactAdvantage(0), 5);
    for (const inputStddev of [0.2, 0.5, 1])
      expect(estimated(inputStddev)).toBeGreaterThan(exactAdvantage(inputStddev));
  });

  test.each([0, 0.5])('is beaten by no adversary that was trained, at σ_in = %d', (inputStddev) => {
    const random = new Random(2);
    const adversary = Adversary.create({ inputDimension: E, dimension: E, units: 8 }, random);
    const learner = new Learner([adversary.parameters], { learningRate: 0.02, clipNorm: 1 });
    for (let step = 0; step < 120; step++) {
      tf.tidy(() => {
        const batch = drawPairs(64, inputStddev, random);
        learner.step(() => pairLoss(adversary, batch));
      });
    }
    const trials = 6000;
    const right = tf.tidy(() => {
      const { pairs, real } = drawPairs(trials, inputStddev, random);
      const answers = adversary.probabilities(pairs).dataSync<'float32'>();
      return answers.filter((p, pair) => p >= 0.5 === (real[pair] === 1)).length;
    });
    const interval = 1.96 * Math.sqrt(0.25 / trials);
    const accuracy = right / trials;
    const optimum = (1 + exactAdvantage(inputStddev)) / 2;
    expect(accuracy - interval).toBeLessThan((1 + estimated(inputStddev)) / 2);
    expect(accuracy - interval).toBeLessThan(optimum);
    // It did learn: the limit was tried.
    expect(accuracy).toBeGreaterThan(optimum - 0.05);
  });
});
