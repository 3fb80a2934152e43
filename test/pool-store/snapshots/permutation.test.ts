import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { permutation } from '../../../pool-store/snapshots/permutation.js';

describe('a permutation', () => {
  test('holds every number once and follows from seed and label alone', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(), fc.string(), (n, seed, label) => {
        const order = permutation(n, seed, label);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
        expect(permutation(n, seed, label)).toEqual(order);
      }),
    );
  });

  test('is what Python makes of the key stream of OpenSSL', () => {
    expect([...permutation(10, 1, 'blocks')]).toEqual([8, 5, 1, 7, 0, 3, 4, 2, 9, 6]);
  });

  test('puts every number in every place about equally often', () => {
    const n = 5;
    const runs = 5000;
    const counts = Array.from({ length: n * n }, () => 0);
    for (let seed = 0; seed < runs; seed++) {
      for (const [place, number] of permutation(n, seed, 'x').entries())
        counts[place * n + number]++;
    }
    const expected = runs / n;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 99.99 % of the chi-square distribution with 16 degrees of freedom.
    expect(chiSquare).toBeLessThan(45);
  });
});
