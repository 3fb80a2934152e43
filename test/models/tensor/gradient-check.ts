import { expect } from '@jest/globals';
import * as tf from '../../../models/tensor/tf.js';

const STEP = 1e-2;

/**
 * Compares the gradients of `loss` with central differences at every element of every input, and
 * says how far apart they may be relative to the largest one.
 */
export function expectGradients(
  loss: (...inputs: tf.Tensor[]) => tf.Scalar,
  inputs: readonly tf.Tensor[],
  tolerance = 5e-3,
): void {
  const found = tf.grads(loss)([...inputs]);
  inputs.forEach((input, index) => {
    const values = Float32Array.from(input.dataSync());
    const expected = values.map((_, element) => {
      const at = (shift: number) =>
        tf.tidy(() => {
          const moved = values.slice();
          moved[element] = (values[element] as number) + shift;
          const replaced = inputs.map((other, i) =>
            i === index ? tf.tensor(moved, input.shape) : other,
          );
          return loss(...replaced).dataSync()[0] as number;
        });
      return (at(STEP) - at(-STEP)) / (2 * STEP);
    });
    const scale = Math.max(1, ...expected.map(Math.abs));
    expectClose(found[index]?.dataSync() as Float32Array, expected, tolerance * scale);
  });
}

/** Every element of `found` is within `tolerance` of `expected`. */
export function expectClose(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): void {
  expect(found.length).toBe(expected.length);
  let worst = 0;
  for (let i = 0; i < found.length; i++) {
    const difference = Math.abs((found[i] as number) - (expected[i] as number));
    if (!(difference <= worst)) worst = difference;
  }
  expect(worst).toBeLessThanOrEqual(tolerance);
}
