import { beforeAll, describe, expect, test } from '@jest/globals';
import { Adversary, adversaryLoss } from '../../../models/networks/adversary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';

const [E, D] = [6, 4];

beforeAll(async () => {
  await useBackend();
});

function pairsOf(lengths: Int32Array, steps: number, padding: number) {
  const random = new Random(3);
  const draw = (width: number) => {
    const values = new Float32Array(lengths.length * steps * width).fill(padding);
    lengths.forEach((length, row) => {
      values.set(random.normals(length * width), row * steps * width);
    });
    return tf.tensor3d(values, [lengths.length, steps, width]);
  };
  return { embeddings: draw(E), first: draw(D), second: draw(D), lengths };
}

describe('the adversary', () => {
  const adversary = () =>
    Adversary.create({ inputDimension: E, dimension: D, units: 5 }, new Random(1));
  const lengths = Int32Array.of(3, 1, 5);

  test('reads the last token of each sentence and nothing of the padding', () => {
    const short = adversary()
      .probabilities(pairsOf(lengths, 5, 0))
      .dataSync();
    const long = adversary()
      .probabilities(pairsOf(lengths, 9, 7))
      .dataSync();
    short.forEach((value, i) => {
      expect(long[i]).toBeCloseTo(value, 6);
    });
  });

  test('is the mean of its two halves', () => {
    const network = adversary();
    const pairs = pairsOf(lengths, 5, 0);
    const [t1, t2, both] = (['T1', 'T2', 'both'] as const).map((task) =>
      network.probabilities(pairs, task).dataSync(),
    );
    both.forEach((value, i) => {
      expect(value).toBeCloseTo((t1[i] + t2[i]) / 2, 6);
    });
  });

  test('T1 does not see the first element, T2 does not see the embedding', () => {
    const network = adversary();
    const pairs = pairsOf(lengths, 5, 0);
    const other = { ...pairs, first: pairs.first.neg<tf.Tensor3D>() };
    expect(network.probabilities(other, 'T1').dataSync()).toEqual(
      network.probabilities(pairs, 'T1').dataSync(),
    );
    const blind = { ...pairs, embeddings: pairs.embeddings.neg<tf.Tensor3D>() };
    expect(network.probabilities(blind, 'T2').dataSync()).toEqual(
      network.probabilities(pairs, 'T2').dataSync(),
    );
  });
});

describe('the adversary’s loss', () => {
  test.each([
    [[0.5, 0.5], [1, 0], Math.LN2],
    [[1, 0], [1, 0], 0],
    [[0.9, 0.2], [1, 1], -(Math.log(0.9) + Math.log(0.2)) / 2],
  ])('of %j against %j is %p', (probabilities, real, expected) => {
    const loss = adversaryLoss(tf.tensor1d(probabilities), Float32Array.from(real));
    expect(loss.dataSync()[0]).toBeCloseTo(expected, 4);
  });

  test('stays finite for an adversary that is sure and wrong', () => {
    expect(adversaryLoss(tf.tensor1d([0, 1]), Float32Array.of(1, 0)).dataSync()[0]).toBeLessThan(
      20,
    );
  });
});
