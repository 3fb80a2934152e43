import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { pieceEnds } from '../../../models/text/sentence-pieces.js';

const ends = (labels: readonly number[], most: number) => pieceEnds(Uint8Array.from(labels), most);
const outside = (tokens: number) => Array<number>(tokens).fill(0);

describe('the pieces of a sentence', () => {
  test('are as few as hold so many tokens each, and of nearly one length', () => {
    expect(ends(outside(8), 8)).toEqual([8]);
    expect(ends(outside(9), 8)).toEqual([5, 9]);
    expect(ends(outside(20), 8)).toEqual([7, 13, 20]);
    expect(ends([], 8)).toEqual([]);
    expect(ends(outside(20), Number.POSITIVE_INFINITY)).toEqual([20]);
  });

  test('cut no entity: it goes to the piece behind, or makes the first one longer', () => {
    expect(ends([0, 0, 0, 1, 2, 2, 0, 0], 4)).toEqual([3, 8]);
    expect(ends([1, 2, 2, 2, 2, 2, 0, 0], 4)).toEqual([6, 8]);
    expect(ends([1, 2, 2, 2, 2, 2, 2, 2], 4)).toEqual([8]);
  });

  test('follow one another to the end, whatever the labels are', () => {
    const labels = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(labels, fc.integer({ min: 1, max: 12 }), (ids, most) => {
        const found = ends(ids, most);
        expect(found.at(-1) ?? 0).toBe(ids.length);
        expect([...found].sort((a, b) => a - b)).toEqual(found);
        expect(new Set(found).size).toBe(found.length);
        for (const end of found.slice(0, -1)) expect([0, 1, 3, 5]).toContain(ids[end]);
      }),
    );
  });
});
