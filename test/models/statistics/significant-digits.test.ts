import { describe, expect, test } from '@jest/globals';
import { significantDigits } from '../../../models/statistics/significant-digits.js';

describe('significant digits, as Python prints them', () => {
  test.each([
    [0.86504, 4, '0.865'],
    [0.98765432, 4, '0.9877'],
    [0.1, 2, '0.1'],
    [0.077, 2, '0.077'],
    [1, 4, '1.0'],
    [0, 2, '0.0'],
    [Number.NaN, 4, 'nan'],
    [0.00001234, 2, '1.2e-05'],
    [0.000123, 2, '0.00012'],
    [0.99999, 4, '1.0'],
    [12.5, 4, '12.5'],
    [12345, 4, '1.234e+04'],
  ])('%p to %p digits is %p', (value, digits, printed) => {
    expect(significantDigits(value, digits)).toBe(printed);
  });

  test('a tie goes to the even digit, and only an exact one is a tie', () => {
    expect(significantDigits(17 / 32, 4)).toBe('0.5312');
    expect(significantDigits(19 / 32, 4)).toBe('0.5938');
    expect(significantDigits(0.86545, 4)).toBe((0.86545).toFixed(4));
  });
});
