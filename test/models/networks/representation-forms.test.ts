import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeBundle } from '../../../models/bundle/describe.js';
import { squaredDistances } from '../../../models/certification/squared-distances.js';
import { release } from '../../../models/networks/release.js';
import { Representation } from '../../../models/networks/representation.js';
import type { Form } from '../../../models/networks/representation-config.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../training/toy-notes.js';

const LENGTHS = Int32Array.of(4, 4);

function created(form: Form, dimension = 8) {
  const config = { form, embeddingDimension: DIMENSION, units: 4, dimension };
  const noise = { initialInputStddev: 0.1, initialOutputStddev: 0.2 };
  return Representation.create({ ...config, ...noise }, new Random(1));
}

function words(): tf.Tensor3D {
  return tf.tensor3d(new Random(2).normals(2 * 4 * DIMENSION), [2, 4, DIMENSION]);
}

function normsOf(vectors: tf.Tensor3D): number[] {
  return [...tf.norm(vectors, 2, 2).dataSync()];
}

beforeAll(() => useBackend());

describe('a representation of the form', () => {
  test('lstm-alone is what its LSTM gives, without a projection or one length', () => {
    const representation = created('lstm-alone');
    const names = Object.keys(representation.parameters.toArrays());
    expect(names.filter((name) => name.startsWith('projection'))).toEqual([]);
    const norms = normsOf(representation.mean(words(), LENGTHS));
    expect(Math.max(...norms) - Math.min(...norms)).toBeGreaterThan(0.01);
  });

  test('lstm-alone has as many numbers as its LSTM has units, in both directions', () => {
    expect(() => created('lstm-alone', 5)).toThrow(/expected 8, twice representation.units/);
  });

  test('scaled-after has unit vectors once the noise is in, in training and in a release', () => {
    const representation = created('scaled-after');
    const before = normsOf(representation.mean(words(), LENGTHS));
    expect(Math.max(...before.map((norm) => Math.abs(norm - 1)))).toBeGreaterThan(0.01);
    const vocabulary = toyVocabulary();
    const [sentence] = toyExamples(vocabulary, 1, 3);
    const [released] = release(representation, vocabulary, [sentence.ids]);
    const vectors = tf.tensor3d(released, [1, sentence.ids.length, 8]);
    const all = [
      ...normsOf(representation.forward(words(), LENGTHS, new Random(3))),
      ...normsOf(representation.noiseless(words(), LENGTHS)),
      ...normsOf(vectors),
    ];
    for (const norm of all) expect(norm).toBeCloseTo(1, 5);
  });

  test.each(['lstm-alone', 'scaled-after'] as const)(
    '%s has its distances of pairs in units of its noise, as the bound takes them',
    (form) => {
      const representation = created(form);
      const x = words();
      const twin = x.add<tf.Tensor3D>(tf.onesLike(x).mul(0.3));
      const distance = () =>
        squaredDistances(representation, x, twin, LENGTHS, new Random(4)).dataSync<'float32'>()[0];
      const before = distance();
      representation.amplifyOutputNoise(2);
      expect(before).toBeGreaterThan(0);
      expect(distance()).toBeCloseTo(before / 4, 4);
    },
  );

  test.each(['lstm-alone', 'scaled-after'] as const)('%s has no bundle', (form) => {
    const representation = created(form);
    const publication = {} as Parameters<typeof describeBundle>[1];
    expect(() => describeBundle({ representation }, publication)).toThrow(
      expect.objectContaining({ code: 'not-certified' }),
    );
  });
});

test('word vectors are scaled to unit length first where that is asked for', () => {
  const vocabulary = toyVocabulary();
  const [sentence] = toyExamples(vocabulary, 1, 3);
  const steps = sentence.ids.length;
  const embedded = (unitInputs: boolean) =>
    Representation.create(
      {
        ...{ embeddingDimension: DIMENSION, units: 4, dimension: 5, unitInputs },
        ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
      },
      new Random(1),
    ).embed(vocabulary, sentence.ids, steps);
  for (const norm of normsOf(embedded(true))) expect(norm).toBeCloseTo(1, 5);
  expect(normsOf(embedded(false))).not.toEqual(normsOf(embedded(true)));
});
