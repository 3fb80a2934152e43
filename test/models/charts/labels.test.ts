import { expect, test } from '@jest/globals';
import { labelMarks } from '../../../models/charts/labels.js';
import type { Scales, Series } from '../../../models/charts/series.js';

const PIXELS: Scales = { px: (value) => value, py: (value) => value };
const EDGE = 300;

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

function labelsOf(...series: Series[]): Label[] {
  return labelMarks(series, () => PIXELS, EDGE).map((mark) => {
    const [, x, y, text] = /x="([\d.-]+)" y="([\d.-]+)".*>(.*)<\/text>/.exec(`${mark}`) ?? [];
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

test('a label at the edge stands on the other side of its point', () => {
  const [{ x }] = labelsOf(at(EDGE - 10, 100, 'a long label'));
  expect(x).toBeLessThan(EDGE - 50);
});

test('a point without a label has none', () => {
  expect(labelsOf(at(100, 100, ''))).toEqual([]);
});
