import { expect, test } from '@jest/globals';
import { LineChart } from '../../../models/charts/line-chart.js';
import { AIM_COLOUR, COLOURS, lookOf, REFERENCE_COLOUR } from '../../../models/charts/series.js';
import { markupOf } from '../../../platform/pages/markup.js';
import { STYLESHEET } from '../../../platform/pages/stylesheet.js';

test('no two series that are given looks share one', () => {
  const looks = Array.from({ length: 192 }, (_, i) => JSON.stringify(lookOf(i)));
  expect(new Set(looks).size).toBe(192);
});

test('the colours of aims and references are those of no series', () => {
  expect(COLOURS).not.toContain(AIM_COLOUR);
  expect(COLOURS).not.toContain(REFERENCE_COLOUR);
});

test('every colour has one in pages that stands out from a dark ground', () => {
  for (const colour of [...COLOURS, AIM_COLOUR, REFERENCE_COLOUR])
    for (const attribute of ['fill', 'stroke'])
      expect(STYLESHEET).toContain(`svg [${attribute}="${colour}"] {`);
});

test('lines of a page differ in colour or dashes', () => {
  const axis = { label: '', from: 0, to: 1, ticks: [0, 1], text: String };
  const series = Array.from({ length: 14 }, (_, i) => ({
    name: `${i}`,
    points: [[0, 1]] as const,
  }));
  const entries = markupOf(<LineChart title="" x={axis} y={axis} series={series} />).match(
    /stroke="[^"]*" stroke-width="3".*?>/g,
  );
  expect(entries).toHaveLength(14);
  expect(new Set(entries).size).toBe(14);
});
