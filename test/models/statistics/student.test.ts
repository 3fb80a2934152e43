import { describe, expect, test } from '@jest/globals';
import { studentInterval } from '../../../models/statistics/student.js';

describe('the interval of a mean over a few seeds', () => {
  // Quantiles 0.975 of Student's t for 1, 2, 4 and 9 degrees of freedom, from printed tables.
  test.each([
    [2, 12.706],
    [3, 4.303],
    [5, 2.776],
    [10, 2.262],
  ])('of %i values uses t = %d', (count, t) => {
    const values = Array.from({ length: count }, (_, i) => 0.9 + 0.01 * i);
    const mean = values.reduce((sum, each) => sum + each, 0) / count;
    const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
    const [low, high] = studentInterval(values);
    expect((high - low) / 2 / Math.sqrt(variance / count)).toBeCloseTo(t, 2);
    expect((high + low) / 2).toBeCloseTo(mean, 12);
  });

  test('is a point where all seeds agree', () => {
    expect(studentInterval([0.5, 0.5, 0.5])).toEqual([0.5, 0.5]);
  });
});
