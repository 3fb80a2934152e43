import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import * as tf from '../../../models/tensor/tf.js';
import { difference, instructionSets, on } from './native-session.js';

function tensor(shape: number[], seed: number): tf.Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => Math.sin(seed + i * 78.233)),
    shape,
  );
}

const sizes = fc.integer({ min: 1, max: 70 });
const products = fc.record({
  batchA: fc.constantFrom(undefined, 1, 3),
  batchB: fc.constantFrom(undefined, 1, 3),
  m: sizes,
  k: fc.integer({ min: 1, max: 400 }),
  n: sizes,
  transposeA: fc.boolean(),
  transposeB: fc.boolean(),
});

function operands(p: typeof products extends fc.Arbitrary<infer T> ? T : never): tf.Tensor[] {
  const batched = (batch: number | undefined, matrix: [number, number], transpose: boolean) => {
    const shape = transpose ? [matrix[1], matrix[0]] : matrix;
    return batch === undefined ? shape : [batch, ...shape];
  };
  return [
    tensor(batched(p.batchA, [p.m, p.k], p.transposeA), 1),
    tensor(batched(p.batchB, [p.k, p.n], p.transposeB), 2),
  ];
}

afterEach(() => useBackend('cpu'));

describe('the matrix product', () => {
  test('gives what tfjs gives, for any shape, transposition and batch', async () => {
    await fc.assert(
      fc.asyncProperty(products, async (product) => {
        const multiply = () => {
          const [a, b] = operands(product) as [tf.Tensor, tf.Tensor];
          return [tf.matMul(a, b, product.transposeA, product.transposeB)];
        };
        const [expected] = await on('cpu', multiply);
        for (const instructionSet of instructionSets()) {
          const [found] = await on('native', multiply, instructionSet);
          expect(difference(found as Float32Array, expected as Float32Array)).toBeLessThan(3e-5);
        }
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  test.each(['linear', 'relu', 'sigmoid', 'elu'] as const)(
    'adds the bias and applies the activation %s',
    async (activation) => {
      const multiply = () => {
        const a = tensor([19, 45], 1) as tf.Tensor2D;
        const b = tensor([45, 83], 2) as tf.Tensor2D;
        return [tf.fused.matMul({ a, b, bias: tensor([83], 3), activation })];
      };
      const [expected] = await on('cpu', multiply);
      for (const instructionSet of instructionSets()) {
        const [found] = await on('native', multiply, instructionSet);
        expect(difference(found as Float32Array, expected as Float32Array)).toBeLessThan(1e-5);
      }
    },
  );

  test('has gradients', async () => {
    const gradients = () => {
      const loss = (a: tf.Tensor, b: tf.Tensor) => tf.matMul(a, b).square().sum();
      return tf.grads(loss)([tensor([5, 7], 1), tensor([7, 9], 2)]);
    };
    const expected = await on('cpu', gradients);
    const found = await on('native', gradients);
    for (const [i, array] of found.entries()) {
      expect(difference(array, expected[i] as Float32Array)).toBeLessThan(1e-5);
    }
  });

  test('gives the same bits with any number of threads', async () => {
    const multiply = () => [tf.matMul(tensor([300, 500], 1), tensor([500, 70], 2))];
    const first = await on('native', multiply);
    for (const threads of [1, 2, 7]) {
      const before = nativeFunction('setThreadCount')(threads);
      expect(await on('native', multiply)).toEqual(first);
      nativeFunction('setThreadCount')(before);
    }
  });

  test('carries NaN and infinity to the elements that they touch, and no further', async () => {
    const [product] = await on('native', () => {
      const a = tf.tensor2d([1, 2, Number.NaN, 4, Number.POSITIVE_INFINITY, 6], [3, 2]);
      return [tf.matMul(a, tf.ones([2, 3]) as tf.Tensor2D)];
    });
    expect([...(product as Float32Array)]).toEqual([
      3,
      3,
      3,
      NaN,
      NaN,
      NaN,
      Infinity,
      Infinity,
      Infinity,
    ]);
  });
});
