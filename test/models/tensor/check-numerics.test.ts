import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { checksEveryOp } from '../../../models/tensor/finite-check.js';
import * as tf from '../../../models/tensor/tf.js';

// The variable is read where the backend is registered, once for each test file.
beforeAll(async () => {
  process.env.TACET_CHECK_NUMERICS = '1';
  await useBackend('native');
});

afterAll(() => {
  delete process.env.TACET_CHECK_NUMERICS;
});

describe('with TACET_CHECK_NUMERICS=1', () => {
  test.each<[string, string, () => tf.Tensor]>([
    ['Log', 'x [2, 2]', () => tf.tensor2d([1, 2, -1, 3], [2, 2]).log().exp()],
    ['Sqrt', 'x [3]', () => tf.tensor1d([1, -1, 4]).sqrt().sum()],
    [
      'RealDiv',
      'a [2], b [2]',
      () =>
        tf
          .tensor1d([0, 1])
          .div(tf.tensor1d([0, 1]))
          .add(1),
    ],
    ['Exp', 'x [1]', () => tf.tensor1d([1000]).exp()],
    // One of tfjs's own kernels.
    ['Log1p', 'x [2]', () => tf.tensor1d([-2, 1]).log1p()],
  ])('%s that spoils finite numbers says so with its shapes', (op, shapes, run) => {
    expect(() => tf.tidy(run)).toThrow(
      new RegExp(`^${op}: the result .* though its inputs do not; got ${escaped(shapes)}`),
    );
  });

  test('an op that is given NaN names the input that holds it', () => {
    const spoilt = tf.tensor1d([Number.NaN, 1]);
    expect(() => tf.tidy(() => spoilt.add(1))).toThrow(
      /^Add: the result \[2\] holds NaN or infinity, as a does/,
    );
  });

  test('whole numbers, truth values and finite results pass', () => {
    tf.tidy(() => {
      const x = tf.tensor1d([1, 2, Number.POSITIVE_INFINITY]);
      expect([...x.isInf().dataSync()]).toEqual([0, 0, 1]);
      expect([...tf.tensor1d([3, 4], 'int32').add(tf.scalar(0.5)).dataSync()]).toEqual([3.5, 4.5]);
      expect(tf.tensor1d([3, 4]).mul(2).sum().dataSync()[0]).toBe(14);
    });
  });
});

test.each([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
  ['', false],
])('TACET_CHECK_NUMERICS=%s means %s', (value, expected) => {
  process.env.TACET_CHECK_NUMERICS = value;
  expect(checksEveryOp()).toBe(expected);
});

test('a TACET_CHECK_NUMERICS that is neither on nor off is a usage error', () => {
  process.env.TACET_CHECK_NUMERICS = 'yes';
  expect(checksEveryOp).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: "TACET_CHECK_NUMERICS is 'yes'; expected 1 or 0",
    }),
  );
});

function escaped(text: string): string {
  return text.replace(/[[\]]/g, '\\$&');
}
