import { expect, test } from '@jest/globals';
import { labelMarks } from '../../../models/charts/labels.js';
import { type Scales, type Series, withStyle } from '../../../models/charts/series.js';
import { markupOf } from '../../../platform/pages/markup.js';

const PIXELS: Scales = { px: (value) => value, py: (value) => value };
const EDGE = 300;
const AREA = { left: 0, right: EDGE, top: 0, bottom: 200 };

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

function labelsOf(...series: Series[]): Label[] {
  return labelMarks(series.map(withStyle), () => PIXELS, AREA).map((mark) => {
    const [, x, y, text] =
      /<text x="([\d.-]+)" y="([\d.-]+)".*>(.*)<\/text>/.exec(markupOf(mark)) ?? [];
    return { text, x: Number(x), y: Number(y) };
  });
}

const at = (x: number, y: number, label: string, colour = '#000'): Series => ({
  ...{ name: label, points: [[x, y]], labels: [label], marker: 'circle', colour },
});

test('labels of points that lie close are set apart', () => {
  const found = labelsOf(at(100, 100, 'first'), at(102, 101, 'second'), at(98, 99, 'third'));
  expect(found.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  for (const one of found)
    for (const other of found)
      if (one !== other)
        expect(Math.abs(one.y - other.y) >= 10 || Math.abs(one.x - other.x) > 25).toBe(true);
});

test('one label serves for near points of a colour that would say the same', () => {
  expect(labelsOf(at(100, 100, 'same'), at(120, 110, 'same'))).toHaveLength(1);
  expect(labelsOf(at(100, 100, 'same'), at(200, 110, 'same'))).toHaveLength(2);
  expect(labelsOf(at(100, 100, 'same'), at(120, 110, 'same', '#f00'))).toHaveLength(2);
});

test('a line leads from a point to a label that does not stand beside it', () => {
  const crowd = Array.from({ length: 12 }, (_, i) =>
    at(150 + (i % 4), 100 + (i >> 2), `point ${i}`),
  );
  const marks = labelMarks(crowd.map(withStyle), () => PIXELS, AREA).map(markupOf);
  expect(marks.some((mark) => mark.startsWith('<line'))).toBe(true);
  expect(marks[0]).toMatch(/^<text/);
});

test('a label at the edge stands on the other side of its point', () => {
  const [{ x }] = labelsOf(at(EDGE - 10, 100, 'a long label'));
  expect(x).toBeLessThan(EDGE - 50);
});

test('labels stay where the points are, off the numbers of the axes', () => {
  const crowd = Array.from({ length: 12 }, (_, i) => at(3 + i, 197 - i, `label ${i}`));
  for (const { x, y } of labelsOf(...crowd)) {
    expect(x).toBeGreaterThanOrEqual(AREA.left);
    expect(y).toBeLessThanOrEqual(AREA.bottom);
  }
});

test('a point without a label has none', () => {
  expect(labelsOf(at(100, 100, ''))).toEqual([]);
});
