import { afterEach, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { characterMaximum } from '../../../models/tensor/character-maximum.js';
import * as tf from '../../../models/tensor/tf.js';

/** Three codes, windows of three, two filters: each row what a code adds before, at and behind the middle. */
const TABLES = [
  [0, 0, 0, 0, 0, 0],
  [1, 0, 2, -1, 3, 0],
  [5, 0, 7, -2, 11, 0],
];
/** "1 2", "1" and a word without characters. */
const CODES = Int32Array.of(1, 2, 0, 1, 0, 0, 0, 0, 0);
const WORDS = { codes: CODES, steps: 3, width: 3 };

afterEach(() => useBackend('cpu'));

describe.each(['cpu', 'native'] as const)(
  'the greatest window over characters on %s',
  (backend) => {
    test('counts what is beyond a word as code 0, and is zero where there is no character', async () => {
      await useBackend(backend);
      const found = characterMaximum(tf.tensor2d(TABLES), WORDS);
      // First filter of "1 2": 0 + 2 + 11 at its first place, 1 + 7 + 0 at its second.
      expect(found.arraySync()).toEqual([
        [13, -1],
        [2, -1],
        [0, 0],
      ]);
    });

    test('gives its gradient to the window that was the greatest', async () => {
      await useBackend(backend);
      const weighting = tf.tensor2d([1, 10, 100, 1000, 7, 7], [3, 2]);
      const gradient = tf.grad((tables) =>
        characterMaximum(tables as tf.Tensor2D, WORDS)
          .mul(weighting)
          .sum(),
      )(tf.tensor2d(TABLES));
      expect(gradient.arraySync()).toEqual([
        [101, 1010, 0, 0, 100, 1000],
        [0, 0, 101, 1010, 0, 0],
        [0, 0, 0, 0, 1, 10],
      ]);
    });
  },
);

test('codes that no table has, and shapes that do not fit, are refused', () => {
  const tables = tf.tensor2d(TABLES);
  const wrong = { ...WORDS, codes: Int32Array.of(3, 0, 0) };
  expect(() => characterMaximum(tables, wrong)).toThrow('highest code [0, 3]');
  expect(() => characterMaximum(tables, { ...WORDS, steps: 2 })).toThrow('codes [9]');
  expect(() => characterMaximum(tables, { ...WORDS, width: 4 })).toThrow('tables [3, 6]');
});
