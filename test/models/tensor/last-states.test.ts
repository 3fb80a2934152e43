import { afterEach, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { bilstmLastStates } from '../../../models/tensor/last-states.js';
import * as tf from '../../../models/tensor/tf.js';

const LENGTHS = Int32Array.of(3, 1, 0);

afterEach(() => useBackend('cpu'));

/** [3, 3, 4], zero past the lengths. */
function outputs(): tf.Tensor3D {
  const values = Float32Array.from({ length: 36 }, (_, i) =>
    Math.floor(i / 4) % 3 < (LENGTHS[Math.floor(i / 12)] as number) ? i + 1 : 0,
  );
  return tf.tensor3d(values, [3, 3, 4]);
}

describe('the last states of a BiLSTM', () => {
  test.each(['cpu', 'native'] as const)(
    'are the forward ones of the last step and the backward ones of the first on %s',
    async (backend) => {
      await useBackend(backend);
      const states = bilstmLastStates(outputs(), LENGTHS);
      expect(states.arraySync()).toEqual([
        [9, 10, 3, 4],
        [13, 14, 15, 16],
        [0, 0, 0, 0],
      ]);
    },
  );

  test.each(['cpu', 'native'] as const)(
    'give their gradient back there alone on %s',
    async (backend) => {
      await useBackend(backend);
      const weighting = tf.tensor2d([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0], [3, 4]);
      const gradient = tf.grad((y) =>
        bilstmLastStates(y as tf.Tensor3D, LENGTHS)
          .mul(weighting)
          .sum(),
      )(outputs());
      const expected = new Float32Array(36);
      expected.set([3, 4], 2);
      expected.set([1, 2], 8);
      expected.set([5, 6, 7, 8], 12);
      expect(gradient.dataSync()).toEqual(expected);
    },
  );

  test('of lengths that do not fit are refused with the shapes', () => {
    expect(() => bilstmLastStates(outputs(), Int32Array.of(4, 1, 1))).toThrow(
      'bilstmLastStates: got y [3, 3, 4], lengths [3]',
    );
  });
});
