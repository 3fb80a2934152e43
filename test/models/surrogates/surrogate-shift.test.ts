import { expect, test } from '@jest/globals';
import { drawnShift } from '../../../models/surrogates/surrogate-shift.js';

const SHIFTS = 728;

/** All shifts of dates, one for each draw that there is. */
function shifts(daysAgo: number): number[] {
  return Array.from({ length: SHIFTS }, (_, drawn) => {
    const integer = (n: number) => (n === SHIFTS ? drawn : 0);
    return drawnShift({ integer }, daysAgo).days;
  });
}

test.each([
  [0, -728, -1],
  [30, -698, 30],
  [364, -364, 364],
  [5000, -364, 364],
])('of what was %i days ago dates move by %i to %i days, never by none', (daysAgo, least, most) => {
  const all = shifts(daysAgo);
  expect([Math.min(...all), Math.max(...all)]).toEqual([least, most]);
  expect(new Set(all).size).toBe(SHIFTS);
  expect(all).not.toContain(0);
});

test('nothing comes to lie ahead, and what lies close behind today leaves as many shifts as half of all', () => {
  const left = new Map<number, number>();
  for (let daysAgo = 0; daysAgo < 2 * SHIFTS; daysAgo++)
    for (const days of shifts(daysAgo))
      left.set(daysAgo - days, (left.get(daysAgo - days) ?? 0) + 1);
  expect(Math.min(...left.keys())).toBe(0);
  const seen = Array.from({ length: SHIFTS }, (_, daysAgo) => left.get(daysAgo));
  expect(seen).not.toContain(undefined);
  expect(Math.min(...(seen as number[]))).toBe(364);
});
