import { beforeAll, describe, expect, test } from '@jest/globals';
import { release } from '../../../models/networks/release.js';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../training/toy-notes.js';

const CONFIG = {
  embeddingDimension: DIMENSION,
  units: 6,
  dimension: 5,
  initialInputStddev: 0.1,
  initialOutputStddev: 0.2,
};

beforeAll(async () => {
  await useBackend();
});

describe('a representation', () => {
  test('has unit vectors before the output noise', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    const x = tf.tensor3d(new Random(2).normals(2 * 4 * DIMENSION), [2, 4, DIMENSION]);
    const norms = tf.norm(representation.mean(x, Int32Array.of(4, 4)), 2, 2).dataSync();
    for (const norm of norms) expect(norm).toBeCloseTo(1, 5);
  });

  test('keeps f when its output noise is multiplied', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    const x = tf.tensor3d(new Random(2).normals(2 * 4 * DIMENSION), [2, 4, DIMENSION]);
    const lengths = Int32Array.of(4, 4);
    const before = representation.mean(x, lengths).dataSync();
    representation.amplifyOutputNoise(200);
    expect(representation.mean(x, lengths).dataSync()).toEqual(before);
    for (const stddev of representation.outputStddev().dataSync())
      expect(stddev).toBeCloseTo(200 * CONFIG.initialOutputStddev, 3);
  });

  test('has no output noise to multiply where that depends on the input', () => {
    const representation = Representation.create({ ...CONFIG, noise: 'dependent' }, new Random(1));
    expect(() => representation.amplifyOutputNoise(2)).toThrow(/not certified/);
  });

  test('differs by at most 0.01 in bfloat16, of unit vectors', async () => {
    if (!nativeFunction('hasBfloat16')()) return;
    const config = { ...REPRESENTATION_DEFAULTS, casing: false, embeddingDimension: 300 };
    const representation = Representation.create(config, new Random(1));
    const x = tf.tensor3d(new Random(2).normals(8 * 20 * 300), [8, 20, 300]);
    const lengths = new Int32Array(8).fill(20);
    const exact = representation.mean(x, lengths).dataSync<'float32'>();
    await useBackend('native', 'bfloat16');
    const rounded = representation.mean(x, lengths).dataSync<'float32'>();
    await useBackend('native', 'float32');
    const differences = exact.map((value, i) => Math.abs(value - (rounded[i] as number)));
    expect(Math.max(...differences)).toBeGreaterThan(0);
    expect(Math.max(...differences)).toBeLessThan(0.01);
  });

  test('starts with the noise that its configuration states', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    for (const value of representation.inputStddev().dataSync()) expect(value).toBeCloseTo(0.1, 5);
    for (const value of representation.outputStddev().dataSync()) expect(value).toBeCloseTo(0.2, 5);
  });

  test('is the same after its weights went out and in', () => {
    const one = Representation.create(CONFIG, new Random(1));
    const two = Representation.fromWeights(CONFIG, one.parameters.toArrays());
    const x = tf.tensor3d(new Random(2).normals(3 * DIMENSION), [1, 3, DIMENSION]);
    const lengths = Int32Array.of(3);
    expect(two.mean(x, lengths).arraySync()).toEqual(one.mean(x, lengths).arraySync());
  });
});

describe('a release', () => {
  const vocabulary = toyVocabulary();
  const sentences = toyExamples(vocabulary, 50, 4).map(({ ids }) => ids);

  test('keeps the order and the length of every sentence', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    const releases = release(representation, vocabulary, sentences);
    expect(releases.map(({ length }) => length)).toEqual(
      sentences.map(({ length }) => length * CONFIG.dimension),
    );
  });

  test('of the same sentence is never the same twice', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    const [a] = release(representation, vocabulary, [sentences[0]]);
    const [b] = release(representation, vocabulary, [sentences[0]]);
    a.forEach((value, i) => {
      expect(value).not.toBe(b[i]);
    });
  });

  test('carries noise of the stated level: the mean square of a vector is 1 + Σσ²', () => {
    const representation = Representation.create(CONFIG, new Random(1));
    let squares = 0;
    let tokens = 0;
    for (let round = 0; round < 20; round++) {
      for (const vectors of release(representation, vocabulary, sentences)) {
        squares += vectors.reduce((sum, value) => sum + value * value, 0);
        tokens += vectors.length / CONFIG.dimension;
      }
    }
    expect(squares / tokens).toBeCloseTo(1 + CONFIG.dimension * 0.2 ** 2, 1);
  });

  test('is near the mean of the sentence itself', () => {
    const quiet = { ...CONFIG, initialInputStddev: 0.011, initialOutputStddev: 0.011 };
    const representation = Representation.create(quiet, new Random(1));
    const releases = release(representation, vocabulary, sentences);
    sentences.forEach((ids, i) => {
      const mean = tf.tidy(() => {
        const x = representation.embed(vocabulary, ids, ids.length);
        return representation.mean(x, Int32Array.of(ids.length)).dataSync();
      });
      const error = Math.max(...releases[i].map((value, k) => Math.abs(value - mean[k])));
      expect(error).toBeLessThan(0.25);
    });
  });
});
