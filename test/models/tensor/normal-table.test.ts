import { expect, test } from '@jest/globals';
import { normalOf } from '../../../models/tensor/normal-table.js';
import { standardNormalQuantile } from '../../../models/tensor/standard-normal.js';

const LARGEST = 2 ** 31 - 1;

test('a normal is the quantile of its word, from the rarest to the commonest', () => {
  let worst = 0;
  for (let octave = 0; octave < 31; octave++) {
    for (let i = 0; i < 200; i++) {
      const m = Math.floor((1 + i / 200) * 2 ** octave);
      const exact = -standardNormalQuantile((m + 0.5) / 2 ** 32);
      worst = Math.max(worst, Math.abs(normalOf(m) - exact));
    }
  }
  expect(worst).toBeLessThan(1.1e-7);
  expect(normalOf(0)).toBeCloseTo(6.337958, 6);
  expect(Math.abs(normalOf(LARGEST))).toBeLessThan(1.1e-7);
});

test('the first bit of a word is the sign of its normal', () => {
  for (const m of [0, 1, 12_345, 2 ** 20 + 1, 2 ** 30, LARGEST]) {
    expect(normalOf(m + 2 ** 31)).toBe(-normalOf(m));
  }
});
