import { expect, test } from '@jest/globals';
import { trainingCurve } from '../../../../models/bundle/training-curve.js';
import {
  axisAround,
  curveSeries,
  epochAxis,
} from '../../../../services/registry/pages/curve-series.js';

const epoch = (stage: string, validation: Record<string, number | null>) => ({
  ...{ stage, epoch: 1, train: {}, validation },
});

test('a metric has a line for each stage and one name', () => {
  const { losses, others } = curveSeries(
    trainingCurve([
      epoch('P1', { l_deid: 0.4, monitor: 0.4 }),
      epoch('P1', { l_deid: 0.2, monitor: 0.2 }),
      epoch('P2', { l_adv: 0.7, accuracy: 0.5 }),
      epoch('P3', { l_deid: 0.3 }),
    ]),
  );
  expect(losses.map(({ name, points }) => [name, points])).toEqual([
    [
      'de-identifier',
      [
        [1, 0.4],
        [2, 0.2],
      ],
    ],
    ['', [[4, 0.3]]],
    ['adversary', [[3, 0.7]]],
  ]);
  expect(losses.map(({ marker }) => marker !== undefined)).toEqual([false, true, true]);
  expect(others.map(({ name }) => name)).toEqual(['accuracy']);
});

test('what is no number, or beyond all measure, is left out', () => {
  const curve = trainingCurve([
    epoch('P1', { l_deid: null, l_adv: 1e300, constructor: -1e300 }),
    epoch('P1', { l_deid: 0.5 }),
  ]);
  const { losses, others } = curveSeries(curve);
  expect(losses.map(({ points }) => points)).toEqual([[[2, 0.5]]]);
  expect(others).toEqual([]);
});

test.each([
  [
    [0, 0.43],
    [0, 0.2, 0.4, 0.6],
  ],
  [
    [-3, 7],
    [-5, 0, 5, 10],
  ],
  [[0, 0], [0]],
])('an axis around %j has ticks at round numbers', (values, ticks) => {
  const points = values.map((value, i) => [i, value] as const);
  const axis = axisAround('loss', [{ name: 'one', points }]);
  expect(axis.ticks.map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks);
  expect(axis.to).toBeGreaterThan(axis.from);
});

test('epochs have few ticks, however many they are', () => {
  for (const epochs of [1, 8, 2000]) {
    const { from, to, ticks } = epochAxis(epochs);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(to).toBeGreaterThan(from);
  }
});
