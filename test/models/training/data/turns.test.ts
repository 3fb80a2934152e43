import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { examplesOfEpoch, joinTurns, type Turns } from '../../../../models/training/data/turns.js';

const part = (name: string) =>
  fc
    .record({ originals: fc.nat(2), copies: fc.integer({ min: 1, max: 6 }), perEpoch: fc.nat(2) })
    .map(({ originals, copies, perEpoch }): Turns<string> => {
      const named = (kind: string, count: number) =>
        Array.from({ length: count }, (_, i) => `${name} ${kind} ${i}`);
      return {
        originals: named('original', originals),
        copies: Array.from({ length: copies }, (_, copy) => named(`copy ${copy}, example`, 2)),
        perEpoch: perEpoch + 1,
      };
    });

test('turns that are joined give in each epoch what their parts give', () => {
  fc.assert(
    fc.property(part('own'), part('others'), (own, others) => {
      const joined = joinTurns([own, others]);
      const of = (turns: Turns<string>, epoch: number) =>
        [...examplesOfEpoch({ train: [], turns }, epoch)].sort();
      for (let epoch = 1; epoch <= joined.copies.length; epoch++)
        expect(of(joined, epoch)).toEqual([...of(own, epoch), ...of(others, epoch)].sort());
    }),
  );
});

test('turns that are joined have every copy of every part in turn', () => {
  const copiesOf = (count: number): Turns<string> => ({
    originals: [],
    copies: Array.from({ length: count }, (_, copy) => [`${copy} of ${count}`]),
    perEpoch: 1,
  });
  const met = joinTurns([copiesOf(1), copiesOf(5)]).copies.flat();
  expect(new Set(met).size).toBe(6);
});
