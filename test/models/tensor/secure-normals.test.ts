import { describe, expect, test } from '@jest/globals';
import { secureNormals } from '../../../models/tensor/secure-normals.js';

describe('secureNormals', () => {
  test('has the moments of the standard normal', () => {
    const sample = secureNormals(200_001);
    const mean = (power: number) => sample.reduce((sum, x) => sum + x ** power, 0) / sample.length;
    expect(Math.abs(mean(1))).toBeLessThan(0.015);
    expect(Math.abs(mean(2) - 1)).toBeLessThan(0.03);
    expect(Math.abs(mean(4) - 3)).toBeLessThan(0.2);
  });

  test('has no correlation between neighbours in a sample', () => {
    const sample = secureNormals(100_000);
    let product = 0;
    for (let i = 1; i < sample.length; i++) {
      product += (sample[i] as number) * (sample[i - 1] as number);
    }
    expect(Math.abs(product / sample.length)).toBeLessThan(0.02);
  });

  test('takes a count and nothing else, and never repeats', () => {
    expect(secureNormals.length).toBe(1);
    const seeded = secureNormals as (n: number, seed: number) => Float32Array;
    expect(seeded(16, 1)).not.toEqual(seeded(16, 1));
  });

  test('fills any length', () => {
    for (const length of [0, 1, 2, 8191, 8193]) {
      const sample = secureNormals(length);
      expect(sample.length).toBe(length);
      expect(sample.every((x) => Number.isFinite(x) && x !== 0)).toBe(true);
    }
  });
});
