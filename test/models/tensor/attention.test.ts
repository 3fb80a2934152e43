import { beforeAll, describe, expect, test } from '@jest/globals';
import { attention } from '../../../models/tensor/attention.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { layerNorm } from '../../../models/tensor/layer-norm.js';
import { Random } from '../../../models/tensor/random.js';
import type { AttentionInputs } from '../../../models/tensor/reference/attention.js';
import * as tf from '../../../models/tensor/tf.js';
import { expectClose, expectGradients } from './gradient-check.js';
import { backends, useInstructionSet } from './native-session.js';

const LENGTHS = Int32Array.of(3, 4);
const SHAPE = [2, 4, 4];

describe.each(backends())('on %s %s', (backend, isa) => {
  useInstructionSet(isa);
  beforeAll(async () => {
    await useBackend(backend);
  });

  test('a query takes the mean of all values of its sentence where no key is nearer than another', () => {
    tf.tidy(() => {
      const [queries, values] = [normals(SHAPE, 1), normals(SHAPE, 2)] as tf.Tensor3D[];
      const keys = tf.zeros<tf.Rank.R3>([2, 4, 4]);
      const y = attention(inputs(queries, keys, values, tf.zeros([2, 3])), LENGTHS);
      const means = values?.slice([0, 0, 0], [1, 3, 4]).mean(1).dataSync() as ArrayLike<number>;
      for (let t = 0; t < 3; t++)
        expectClose(y.slice([0, t, 0], [1, 1, 4]).dataSync(), means, 1e-6);
      expectClose(y.slice([0, 3, 0], [1, 1, 4]).dataSync(), [0, 0, 0, 0], 0);
    });
  });

  test('a head whose distances say so looks at the next word alone', () => {
    tf.tidy(() => {
      const [queries, keys, values] = [1, 2, 3].map((seed) => normals(SHAPE, seed)) as [
        ...[tf.Tensor3D, tf.Tensor3D, tf.Tensor3D],
      ];
      const next = tf.tensor2d([-100, -100, -100, 0, -100], [1, 5]);
      const y = attention(inputs(queries, keys, values, next), LENGTHS);
      const shifted = values.slice([1, 1, 0], [1, 3, 4]);
      expectClose(y.slice([1, 0, 0], [1, 3, 4]).dataSync(), shifted.dataSync(), 1e-5);
    });
  });

  test('the gradients of attention are right', () => {
    tf.tidy(() => {
      const weights = normals(SHAPE, 5);
      expectGradients(
        (q, k, v, d) =>
          attention(inputs(q, k, v, d), LENGTHS)
            .mul(weights)
            .sum() as tf.Scalar,
        [normals(SHAPE, 6), normals(SHAPE, 7), normals(SHAPE, 8), normals([2, 3], 9)],
      );
    });
  });

  test('a row that is normalised has the mean of its bias and the spread of its gain', () => {
    tf.tidy(() => {
      const x = tf.tensor2d([1, 2, 3, 6, 100, 100, 104, 104], [2, 4]);
      const y = layerNorm(x, tf.fill([4], 3), tf.fill([4], 0.5));
      for (const row of y.arraySync() as number[][]) {
        expect(tf.mean(row).dataSync()[0]).toBeCloseTo(0.5, 4);
        expect(tf.moments(row).variance.dataSync()[0]).toBeCloseTo(9, 3);
      }
    });
  });

  test('the gradients of layer normalisation are right', () => {
    tf.tidy(() => {
      const weights = normals([3, 5], 10);
      expectGradients(
        (x, gain, bias) =>
          layerNorm(x as tf.Tensor, gain as tf.Tensor1D, bias as tf.Tensor1D)
            .mul(weights)
            .sum() as tf.Scalar,
        [normals([3, 5], 11), normals([5], 12), normals([5], 13)],
      );
    });
  });
});

test('shapes and lengths that do not fit are refused with what they are', () => {
  const zeros = (...shape: number[]) => tf.zeros(shape);
  const given = (d: tf.Tensor, keys = zeros(...SHAPE)) =>
    inputs(zeros(...SHAPE), keys, zeros(...SHAPE), d);
  const wide = given(zeros(3, 3));
  expect(() => attention(wide, LENGTHS)).toThrow('distances [3, 3]');
  expect(() => attention(given(zeros(2, 2)), LENGTHS)).toThrow('distances [2, 2]');
  expect(() => attention(given(zeros(2, 3), zeros(2, 4, 2)), LENGTHS)).toThrow('keys [2, 4, 2]');
  const long = Int32Array.of(5, 1);
  expect(() => attention(given(zeros(2, 3)), long)).toThrow('shortest and longest [1, 5]');
  expect(() => layerNorm(zeros(2, 3), tf.zeros([2]), tf.zeros([3]))).toThrow('gain [2]');
});

function inputs(q: unknown, k: unknown, v: unknown, d: unknown): AttentionInputs {
  return { queries: q, keys: k, values: v, distances: d } as AttentionInputs;
}

function normals(shape: number[], seed: number): tf.Tensor {
  return tf.tensor(new Random(seed).normals(tf.util.sizeFromShape(shape)), shape);
}
