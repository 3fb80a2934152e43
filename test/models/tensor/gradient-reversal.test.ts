import { beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { ramp, reverseGradient } from '../../../models/tensor/gradient-reversal.js';
import * as tf from '../../../models/tensor/tf.js';

beforeAll(() => useBackend());

describe('gradient reversal', () => {
  test('passes values on as they are', () => {
    const x = tf.tensor2d([1, -2, 3, 0.5], [2, 2]);
    expect([...reverseGradient(x, 0.7).dataSync()]).toEqual([1, -2, 3, 0.5]);
  });

  test('turns the gradient over and scales it by lambda', () => {
    const x = tf.tensor1d([1, 2, 3]);
    const loss = (at: tf.Tensor) => at.square().sum() as tf.Scalar;
    const plain = tf.grad(loss)(x).dataSync<'float32'>();
    const reversed = tf
      .grad((at) => loss(reverseGradient(at, 0.25)))(x)
      .dataSync<'float32'>();
    expect([...reversed]).toEqual([...plain].map((g) => -0.25 * g));
  });
});

describe('the schedule of Ganin and Lempitsky', () => {
  test('rises from 0 towards 1', () => {
    expect(ramp(0, 10)).toBe(0);
    expect(ramp(0.1, 10)).toBeCloseTo(0.4621, 4);
    expect(ramp(1, 10)).toBeCloseTo(0.9999, 4);
  });
});
