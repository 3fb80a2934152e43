import { expect, test } from '@jest/globals';
import { percentAxis } from '../../../models/charts/percent-axis.js';

const axisOf = (...values: number[]) =>
  percentAxis('', [{ name: '', points: values.map((value, i) => [i, value] as const) }]);

test('an axis of per cent reaches what is nothing at all, too', () => {
  expect(axisOf(0, 0.94, 0.96).from).toBe(0);
  expect(axisOf(0)).toMatchObject({ from: 0, to: expect.any(Number) });
  expect(axisOf(0).to).toBeGreaterThan(0);
});

test('an axis of per cent lies close around values that are far from nothing', () => {
  const { from, to } = axisOf(0.94, 0.96);
  expect(from).toBeGreaterThan(0.9);
  expect(to).toBeLessThanOrEqual(1);
});
