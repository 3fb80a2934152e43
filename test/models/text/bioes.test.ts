import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bioesCount, bioesOf, iob2Of } from '../../../models/text/bioes.js';

test('an entity of one token is single, of more begins and ends, and neighbours stay apart', () => {
  // Types 0 and 1 as 1 2 and 3 4.
  expect([...bioesOf(Uint8Array.of(0, 1, 0, 3, 4, 4, 3, 1, 2))]).toEqual([
    0, 4, 0, 5, 6, 7, 8, 1, 3,
  ]);
  expect(bioesCount(5)).toBe(9);
});

test('whatever is valid IOB2 comes back from labels with ends', () => {
  const entities = fc.array(
    fc.record({
      type: fc.integer({ min: 0, max: 4 }),
      length: fc.integer({ min: 1, max: 4 }),
      gap: fc.integer({ min: 0, max: 2 }),
    }),
  );
  fc.assert(
    fc.property(entities, (all) => {
      const labels = Uint8Array.from(
        all.flatMap(({ type, length, gap }) => [
          ...new Array<number>(gap).fill(0),
          ...Array.from({ length }, (_, i) => 1 + 2 * type + (i > 0 ? 1 : 0)),
        ]),
      );
      expect(iob2Of(bioesOf(labels))).toEqual(labels);
    }),
  );
});
