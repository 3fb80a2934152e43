import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import {
  nearestPoints,
  POINTS_TOGETHER,
  placeOfElement,
} from '../../../models/tensor/reference/nearest-points.js';
import { instructionSets } from './native-session.js';

/** Small whole numbers, so that sums are exact and points lie equally far. */
const element = fc.integer({ min: -3, max: 3 });

function found(queries: Float32Array, points: Float32Array, width: number, find = nearestPoints) {
  const count = queries.length / width;
  const squaredDistances = new Float32Array(count);
  const places = new Int32Array(count);
  find({ queries, points, width, squaredDistances, places });
  return { squaredDistances, places };
}

describe.each(instructionSets())('the native search for the nearest point with %s', (isa) => {
  const native = (queries: Float32Array, points: Float32Array, width: number) => {
    const before = nativeFunction('useIsa')(isa);
    try {
      return found(queries, points, width, nativeFunction('nearestPoints'));
    } finally {
      nativeFunction('useIsa')(before);
    }
  };

  test('finds what the reference finds, the first of several, whatever the numbers of points and queries', () => {
    const shapes = fc.record({ width: fc.integer({ min: 1, max: 40 }), groups: fc.nat(4) });
    const calls = shapes.chain(({ width, groups }) => {
      const size = groups * POINTS_TOGETHER * width;
      const points = fc.array(element, { minLength: size, maxLength: size });
      const query = fc.array(element, { minLength: width, maxLength: width });
      return fc.record({
        ...{ width: fc.constant(width), points, empty: fc.nat(POINTS_TOGETHER - 1) },
        queries: fc.array(query, { maxLength: 11 }),
      });
    });
    fc.assert(
      fc.property(calls, ({ width, points, empty, queries }) => {
        const held = Float32Array.from(points);
        // The places at the end of the last group are empty.
        for (let i = 1; i <= empty && held.length > 0; i++)
          held[placeOfElement(held.length / width - i, 0, width)] = Number.POSITIVE_INFINITY;
        const given = Float32Array.from(queries.flat());
        expect(native(given, held, width)).toEqual(found(given, held, width));
      }),
    );
  });

  test('finds none where there is none, and none for a query that is no number', () => {
    const none = { squaredDistances: Float32Array.of(Infinity), places: Int32Array.of(-1) };
    expect(native(Float32Array.of(1, 2), new Float32Array(0), 2)).toEqual(none);
    expect(native(Float32Array.of(1, Number.NaN), new Float32Array(32), 2)).toEqual(none);
    const empty = new Float32Array(32).fill(Number.POSITIVE_INFINITY);
    expect(native(Float32Array.of(1, 2), empty, 2)).toEqual(none);
  });

  test('refuses points that do not lie sixteen together', () => {
    expect(() => native(Float32Array.of(1, 2), new Float32Array(30), 2)).toThrow(/points/);
  });
});
