import { expect, test } from '@jest/globals';
import { type FrontierPoint, frontierChart } from '../../../models/charts/frontier-chart.js';

function point(fields: Partial<FrontierPoint>): FrontierPoint {
  return {
    label: 'λ = 0.1',
    series: 'certified',
    neighbours: 100,
    f1: 0.97,
    f1Interval: [0.965, 0.975],
    success: 0.55,
    successInterval: [0.52, 0.58],
    kind: 'attack',
    ...fields,
  };
}

const points = [
  point({}),
  point({ kind: 'bound', success: 0.56, successInterval: [0.55, 0.57] }),
  point({ series: 'three-phase', label: 'λ = 1', success: 0.9, successInterval: [0.87, 0.93] }),
  point({ neighbours: 500, label: 'λ = 1', f1: 0.94, f1Interval: [0.93, 0.95] }),
];

test('the figure shows every point with its label, and every series once', () => {
  const chart = frontierChart(points);
  expect(chart.match(/<circle/g)?.length).toBe(3 + 3);
  expect(chart.match(/certified, N = 100</g)?.length).toBe(2 * 2);
  for (const text of ['λ = 0.1', 'three-phase, N = 100', 'certified, N = 500', '100 %', 'F1'])
    expect(chart).toContain(text);
});

test('the figure stands alone and holds no number that is not one', () => {
  for (const some of [points, points.slice(0, 1)]) {
    const chart = frontierChart(some);
    expect(chart.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(chart).not.toMatch(/NaN|Infinity|undefined|null|<script|url\(/);
  }
});

test('the figure escapes labels', () => {
  expect(frontierChart([point({ label: '<b>' })])).not.toContain('<b>');
});
