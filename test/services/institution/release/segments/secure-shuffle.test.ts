import { expect, test } from '@jest/globals';
import { secureShuffle } from '../../../../../services/institution/release/segments/secure-shuffle.js';

test('a shuffle keeps every item and gives each a like chance of each place', () => {
  const places = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
  for (let round = 0; round < 4000; round++) {
    const items = [0, 1, 2, 3];
    secureShuffle(items);
    expect([...items].sort()).toEqual([0, 1, 2, 3]);
    for (const [place, item] of items.entries()) (places[item] as number[])[place]++;
  }
  // 1000 expected, standard deviation 27: six of them on either side.
  for (const count of places.flat()) {
    expect(count).toBeGreaterThan(836);
    expect(count).toBeLessThan(1164);
  }
});
