import { describe, expect, test } from '@jest/globals';
import { thresholdPercentage, thresholdText } from '../../platform/threshold-text.js';

describe('the text of a threshold', () => {
  test.each([
    [0.5, '0.5'],
    [0.3, '0.3'],
    [0.123456, '0.123'],
    [0.98765, '0.9876'],
    [0.9966, '0.9966'],
    [0.9999996, '0.9999996'],
    [1 - 2 ** -24, '0.9999999403'],
    [0.0004567, '0.000456'],
    [1.239e-9, '0.00000000123'],
    [1, '1'],
    [1.0000001, '1'],
    [0, '0'],
  ])('of %d is %s', (threshold, text) => {
    expect(thresholdText(threshold)).toBe(text);
  });

  test('is at most a hundredth below it, of it or of what it lacks to 1, and never above', () => {
    const steps = Array.from({ length: 2000 }, (_, i) => (i + 1) / 2001).flatMap((share) => [
      share,
      2 ** (-50 * share),
      1 - 2 ** (-50 * share),
    ]);
    const wrong = [...steps, ...steps.map(Math.fround)].filter((threshold) => {
      const less = threshold - Number(thresholdText(threshold));
      return less < 0 || less > Math.min(threshold, 1 - threshold) / 100;
    });
    expect(wrong).toEqual([]);
    expect(thresholdText(1 - 2 ** -53)).not.toBe('1');
  });
});

test('a threshold is told in percent by the digits that it is told by as a share', () => {
  const told = [0.5, 0.123, 0.9995, 0.00071, 1, 0, 1 - 1e-13, 5e-9].map(thresholdPercentage);
  expect(told).toEqual([
    ...['50', '12.3', '99.95', '0.071', '100', '0', '99.99999999999', '0.0000005'],
  ]);
  for (let i = 1; i < 10_000; i++) {
    const share = Number(`${i}e-4`);
    expect(Number(`${thresholdPercentage(share)}e-2`)).toBe(Number(thresholdText(share)));
  }
});
