import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { beamSearch } from '../../../../models/attacks/likelihood/beam-search.js';

test('a beam as wide as all fillings finds the best of them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 27, maxLength: 27 }),
      (table) => {
        const options = [0, 1, 2].map(() => [0, 1, 2]);
        const scoreOf = ([a, b, c]: readonly number[]) => table[9 * a + 3 * b + c];
        const found = beamSearch([0, 0, 0], options, {
          width: 27,
          sweeps: 1,
          score: (fillings) => fillings.map(scoreOf),
        });
        expect(found.score).toBe(Math.max(...table));
        expect(scoreOf(found.chosen)).toBe(found.score);
      },
    ),
  );
});

test('a narrow beam finds words that are best one by one', () => {
  const best = [2, 0, 1, 2];
  const found = beamSearch([0, 0, 0, 0], Array(4).fill([0, 1, 2]), {
    width: 1,
    sweeps: 1,
    score: (fillings) =>
      fillings.map((filling) => filling.filter((option, place) => option === best[place]).length),
  });
  expect(found).toEqual({ chosen: best, score: 4 });
});
