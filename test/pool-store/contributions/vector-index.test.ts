import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { VectorIndex } from '../../../pool-store/contributions/vector-index.js';

const DIMENSION = 3;

function squaredDistance(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, j) => sum + (value - (b[j] as number)) ** 2, 0);
}

describe('the index of vectors', () => {
  const point = fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength: DIMENSION, maxLength: DIMENSION })
    .map((values) => Float32Array.from(values));
  const changes = fc.array(
    fc.record({
      segment: fc.nat(7).map((number) => `segment ${number}`),
      points: fc.option(fc.array(point, { maxLength: 40 })),
    }),
    { maxLength: 30 },
  );

  test('holds the newest segments that were added and not removed, and finds the nearest of their points', () => {
    fc.assert(
      fc.property(changes, fc.array(point, { minLength: 1, maxLength: 5 }), (steps, queries) => {
        const mostSegments = 5;
        const index = new VectorIndex(DIMENSION, mostSegments);
        const expected = new Map<string, Float32Array[]>();
        for (const { segment, points } of steps) {
          if (points === null) {
            index.remove(segment);
            expected.delete(segment);
          } else if (!index.holds(segment)) {
            index.add(segment, points);
            expected.set(segment, points);
            const [oldest] = expected.keys();
            if (expected.size > mostSegments) expected.delete(oldest as string);
          }
        }
        for (let i = 0; i < 8; i++)
          expect(index.holds(`segment ${i}`)).toBe(expected.has(`segment ${i}`));
        const found = index.nearest(queries);
        for (const [i, query] of queries.entries()) {
          const distancesOf = (points: readonly Float32Array[]) =>
            points.map((each) => squaredDistance(each, query));
          const least = Math.min(...[...expected.values()].flatMap(distancesOf));
          if (least === Number.POSITIVE_INFINITY) expect(found[i]).toBeUndefined();
          else {
            const { segment, squaredDistance: nearest } = found[i] as NonNullable<
              (typeof found)[0]
            >;
            expect(nearest).toBe(least);
            expect(distancesOf(expected.get(segment) as Float32Array[])).toContain(least);
          }
        }
      }),
    );
  });
});
