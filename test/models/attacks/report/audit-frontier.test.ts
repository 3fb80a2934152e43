import { expect, test } from '@jest/globals';
import { auditFrontier } from '../../../../models/attacks/report/audit-frontier.js';
import { figureSvg } from '../../../../models/charts/figure.js';
import type { FrontierPoint } from '../../../../models/charts/frontier.js';
import { pngOf } from '../../../../models/charts/png.js';

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

test('the figure shows every point with its label and both intervals, and every series once', () => {
  const chart = figureSvg(auditFrontier(points));
  const names = ['certified, N = 100', 'three-phase, N = 100', 'certified, N = 500'];
  for (const name of names) expect(chart.match(new RegExp(`>${name}<`, 'g'))).toHaveLength(1);
  for (const text of ['>λ = 0.1<', '>λ = 1<', 'F1', 'per cent']) expect(chart).toContain(text);
  expect(chart.match(/stroke-opacity="0.5"/g)).toHaveLength(2 * points.length);
});

test('a limit is filled and labelled, the attack beside it hollow and without the label again', () => {
  const chart = figureSvg(auditFrontier(points.slice(0, 2)));
  expect(chart.match(/>λ = 0.1</g)).toHaveLength(1);
  expect(chart.match(/<circle[^>]*fill="#0072b2"/g)).toHaveLength(2);
  expect(chart.match(/<circle[^>]*fill="none"/g)).toHaveLength(2);
});

test('the figure stands alone and holds no number that is not one', () => {
  for (const some of [points, points.slice(0, 1)]) {
    const chart = figureSvg(auditFrontier(some));
    expect(chart.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(chart).not.toMatch(/NaN|Infinity|undefined|null|<script|url\(/);
    expect(pngOf(chart).length).toBeGreaterThan(0);
  }
});

test('the figure escapes labels', () => {
  expect(figureSvg(auditFrontier([point({ label: '<b>' })]))).not.toContain('<b>');
});
