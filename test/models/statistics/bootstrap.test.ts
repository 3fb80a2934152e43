import { describe, expect, test } from '@jest/globals';
import { type BootstrapOptions, bootstrapIntervals } from '../../../models/statistics/bootstrap.js';

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function intervalOfMean(values: readonly number[], options: BootstrapOptions) {
  const [interval] = bootstrapIntervals(values, (sample) => [mean(sample)], options);
  return interval;
}

describe('the bootstrap interval', () => {
  test('holds the statistic and narrows with more documents', () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => (i * 7) % 10);
    const [low, high] = intervalOfMean(values(40), { seed: 3 });
    const [lower, higher] = intervalOfMean(values(1000), { seed: 3, resamples: 300 });
    expect(low).toBeLessThan(4.5);
    expect(high).toBeGreaterThan(4.5);
    expect(higher - lower).toBeLessThan((high - low) / 3);
  });

  test('is close to the normal one for a mean', () => {
    const values = Array.from({ length: 400 }, (_, i) => i % 2);
    const [low, high] = intervalOfMean(values, { seed: 5 });
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  });

  test('depends on the seed alone', () => {
    const values = [1, 5, 2, 8, 3, 9, 4, 7, 6, 0];
    const interval = (seed: number) => intervalOfMean(values, { seed });
    expect(interval(1)).toEqual(interval(1));
    expect(interval(1)).not.toEqual(interval(2));
  });

  test('of fewer than ten documents is none, since no number would be honest', () => {
    const alike = (count: number) => Array<number>(count).fill(0.8);
    for (const count of [0, 1, 2, 9])
      expect(bootstrapIntervals(alike(count), (sample) => [mean(sample)], { seed: 1 })).toEqual([]);
    const [interval] = bootstrapIntervals(alike(10), (sample) => [sample[0]], { seed: 1 });
    expect(interval).toEqual([0.8, 0.8]);
  });
});
