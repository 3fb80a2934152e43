import { describe, expect, test } from '@jest/globals';
import {
  EntityDraws,
  MaskedSentence,
} from '../../../../models/attacks/confirmation/masked-sentence.js';
import { Random } from '../../../../models/tensor/random.js';

const sentence = (ids: number[], labels: number[]) => ({
  ids: Int32Array.from(ids),
  labels: Uint8Array.from(labels),
});

describe('a masked sentence', () => {
  test('is equal to one that differs in its entities alone, however long they are', () => {
    const one = new MaskedSentence(sentence([7, 1, 8, 2], [0, 1, 0, 3]));
    const other = new MaskedSentence(sentence([7, 4, 5, 8, 6], [0, 1, 2, 0, 3]));
    expect(other.key).toBe(one.key);
    expect(other.labelKey).toBe(one.labelKey);
    expect(new MaskedSentence(sentence([7, 1, 9, 2], [0, 1, 0, 3])).key).not.toBe(one.key);
    expect(new MaskedSentence(sentence([7, 1, 8, 2], [0, 3, 0, 3])).labelKey).not.toBe(
      one.labelKey,
    );
  });

  test('is filled with entities of its types, of as many tokens as labels ask for', () => {
    const masked = new MaskedSentence(sentence([7, 1, 8], [0, 1, 0]));
    const entities = new EntityDraws([sentence([4, 5, 9, 6], [1, 2, 0, 3])]);
    const random = new Random(1);
    const free = masked.fill(entities, random);
    expect([[...free.ids], [...free.labels]]).toEqual([
      [7, 4, 5, 8],
      [0, 1, 2, 0],
    ]);
    const short = masked.fillLike(Uint8Array.of(0, 1, 0), entities, random);
    expect([...short.ids]).toEqual([7, 4, 8]);
    const long = masked.fillLike(Uint8Array.of(0, 1, 2, 2, 0), entities, random);
    expect([...long.ids]).toEqual([7, 4, 5, 5, 8]);
  });

  test('is filled around a piece with entities of any length, and says where that stands then', () => {
    const masked = new MaskedSentence(sentence([1, 7, 2, 8], [1, 0, 3, 0]));
    const entities = new EntityDraws([sentence([4, 5, 6], [1, 2, 3])]);
    const random = new Random(1);
    const piece = { start: 2, end: 4 };
    const free = masked.fill(entities, random, piece);
    expect([...free.ids]).toEqual([4, 5, 7, 6, 8]);
    expect(free).toMatchObject({ start: 3, end: 5, labels: Uint8Array.of(3, 0) });
    const like = masked.fillLike(Uint8Array.of(3, 4, 0), entities, random, piece);
    expect([...like.ids]).toEqual([4, 5, 7, 6, 6, 8]);
    expect(like).toMatchObject({ start: 3, end: 6, labels: Uint8Array.of(3, 4, 0) });
    expect(masked.hasEntitiesIn({ start: 1, end: 2 })).toBe(false);
  });
});
