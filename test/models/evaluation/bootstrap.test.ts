import { describe, expect, test } from '@jest/globals';
import { bootstrapInterval } from '../../../models/evaluation/bootstrap.js';

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the bootstrap interval', () => {
  test('holds the statistic and narrows with more documents', () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => (i * 7) % 10);
    const [low, high] = bootstrapInterval(values(40), mean, { seed: 3 });
    const [lower, higher] = bootstrapInterval(values(1000), mean, { seed: 3, resamples: 300 });
    expect(low).toBeLessThan(4.5);
    expect(high).toBeGreaterThan(4.5);
    expect(higher - lower).toBeLessThan((high - low) / 3);
  });

  test('is close to the normal one for a mean', () => {
    const values = Array.from({ length: 400 }, (_, i) => i % 2);
    const [low, high] = bootstrapInterval(values, mean, { seed: 5 });
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  });

  test('depends on the seed alone', () => {
    const values = [1, 5, 2, 8, 3];
    const interval = (seed: number) => bootstrapInterval(values, mean, { seed });
    expect(interval(1)).toEqual(interval(1));
    expect(interval(1)).not.toEqual(interval(2));
  });

  test('of nothing is refused, since no number would be honest', () => {
    expect(() => bootstrapInterval([], mean, { seed: 1 })).toThrow('no documents');
  });
});
