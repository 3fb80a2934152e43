import { describe, expect, test } from '@jest/globals';
import { naming, tellingApart } from '../../../../models/attacks/likelihood/pseudonym-reversal.js';
import { Random } from '../../../../models/tensor/random.js';

const list = (...ids: number[]) => Int32Array.from(ids);

describe('telling whose pseudonym a word is', () => {
  test('is a coin where both words have the same pseudonyms, and sure where they share none', () => {
    expect(tellingApart(list(1, 2, 3), list(3, 2, 1))).toBe(0.5);
    expect(tellingApart(list(1, 2), list(3, 4))).toBe(1);
  });

  test('is half of 1 and the total variation of lists of unequal lengths', () => {
    expect(tellingApart(list(1, 2), list(2, 3, 4, 5))).toBeCloseTo((1 + 3 / 4) / 2, 12);
  });
});

describe('naming the word behind a pseudonym', () => {
  test('is a guess where all words have the same pseudonyms', () => {
    expect(naming([list(1, 2), list(2, 1)])).toBe(0.5);
    expect(naming([list(1), list(2), list(3)])).toBe(1);
  });

  test('succeeds as often as the most likely word is the true one', () => {
    const random = new Random(1);
    const lists = [list(1, 2, 3), list(2, 3, 4, 5), list(3), list(5, 6)];
    const likelihood = (word: number, id: number) =>
      lists[word].includes(id) ? 1 / lists[word].length : 0;
    const tries = 40_000;
    let right = 0;
    for (let i = 0; i < tries; i++) {
      const word = random.integer(lists.length);
      const id = lists[word][random.integer(lists[word].length)];
      const scores = lists.map((_, each) => likelihood(each, id));
      if (scores.indexOf(Math.max(...scores)) === word) right++;
    }
    expect(Math.abs(right / tries - naming(lists))).toBeLessThan(0.01);
  });
});
