import { beforeAll, describe, expect, test } from '@jest/globals';
import { pairBound } from '../../../models/certification/bounds.js';
import { squaredDistances } from '../../../models/certification/squared-distances.js';
import { release } from '../../../models/networks/release.js';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { DIMENSION, toyVocabulary } from '../training/toy-notes.js';

const RELEASES = 3000;

beforeAll(async () => {
  await useBackend();
});

/** Input noise at its floor, so that a release is all but Gaussian around f(x). */
function representationOf(outputStddev: number): Representation {
  const config = {
    embeddingDimension: DIMENSION,
    units: 6,
    dimension: 5,
    initialInputStddev: 0.01,
    initialOutputStddev: outputStddev,
  };
  return Representation.create(config, new Random(5));
}

describe('the best test between two sentences, on real releases', () => {
  test.each([0.05, 0.1, 0.2])('is right as often as the bound says, at σ = %p', (outputStddev) => {
    const representation = representationOf(outputStddev);
    const vocabulary = toyVocabulary();
    const sentence = ['patient', 'berta', 'seen', 'fever'].map((word) => vocabulary.idOf(word));
    const x = Int32Array.from(sentence);
    const twin = x.slice();
    twin[1] = vocabulary.idOf('gustav');
    const lengths = Int32Array.of(x.length);
    const meanOf = (ids: Int32Array) =>
      tf.tidy(() =>
        representation.mean(representation.embed(vocabulary, ids, ids.length), lengths).dataSync(),
      );
    const [mean, twinMean] = [meanOf(x), meanOf(twin)];
    const distance = (vectors: Float32Array, from: ArrayLike<number>) =>
      vectors.reduce((sum, value, i) => sum + (value - from[i]) ** 2, 0);
    const right = (ids: Int32Array, isTwin: boolean) =>
      release(representation, vocabulary, Array(RELEASES).fill(ids)).filter(
        (vectors) => distance(vectors, twinMean) < distance(vectors, mean) === isTwin,
      ).length;
    const accuracy = (right(x, false) + right(twin, true)) / (2 * RELEASES);
    const squared = tf.tidy(() => {
      const embed = (ids: Int32Array) => representation.embed(vocabulary, ids, ids.length);
      return squaredDistances(
        representation,
        embed(x),
        embed(twin),
        lengths,
        new Random(1),
      ).dataSync();
    });
    const bound = pairBound(squared);
    expect(bound).toBeGreaterThan(0.55);
    expect(Math.abs(accuracy - bound)).toBeLessThan(0.03);
  });
});

describe('a release', () => {
  test('carries the input noise: with little output noise it varies with the level of input noise', () => {
    const vocabulary = toyVocabulary();
    const ids = Int32Array.from(['patient', 'berta'].map((word) => vocabulary.idOf(word)));
    const spread = (inputStddev: number) => {
      const representation = Representation.create(
        { ...representationOf(0.01).config, initialInputStddev: inputStddev },
        new Random(5),
      );
      const releases = release(representation, vocabulary, Array(400).fill(ids));
      const mean = releases.reduce((sum, [first]) => sum + first, 0) / releases.length;
      return releases.reduce((sum, [first]) => sum + (first - mean) ** 2, 0) / releases.length;
    };
    expect(spread(1)).toBeGreaterThan(20 * spread(0.01));
  });

  test('draws fresh noise for every token and every dimension', () => {
    const representation = representationOf(0.5);
    const vocabulary = toyVocabulary();
    const ids = Int32Array.from(Array(40).fill(vocabulary.idOf('patient')));
    const [a, b] = release(representation, vocabulary, [ids, ids]);
    const noise = a.map((value, i) => value - b[i]);
    expect(new Set(noise).size).toBe(noise.length);
  });
});
