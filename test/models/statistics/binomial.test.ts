import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  betaQuantile,
  binomialTail,
  clopperPearson,
  clopperPearsonLower,
  hypergeometricAtMost,
  regularisedBeta,
} from '../../../models/statistics/binomial.js';

describe('the Clopper-Pearson interval', () => {
  test.each([
    // successes, trials, then R's binom.test
    [0, 10, 0, 0.3084971],
    [10, 10, 0.6915029, 1],
    [5, 10, 0.187086, 0.812914],
    [1, 100, 0.000253146, 0.05445939],
    [530, 1000, 0.4985073, 0.5613044],
  ])('of %p in %p is [%p, %p]', (successes, trials, low, high) => {
    const interval = clopperPearson(successes, trials);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });

  test('holds the observed rate and widens with confidence', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3000 }),
        fc.double({ min: 0, max: 1 }),
        (trials, share) => {
          fc.pre(Number.isFinite(share));
          const successes = Math.round(trials * share);
          const [low, high] = clopperPearson(successes, trials);
          const wide = clopperPearson(successes, trials, 0.999);
          expect(low).toBeLessThanOrEqual(successes / trials);
          expect(high).toBeGreaterThanOrEqual(successes / trials);
          expect(wide[0]).toBeLessThanOrEqual(low);
          expect(wide[1]).toBeGreaterThanOrEqual(high);
        },
      ),
    );
  });

  test('has a lower end at which so many successes are exactly as rare as stated', () => {
    const rate = clopperPearsonLower(7, 20, 0.9);
    let tail = 0;
    for (let k = 7; k <= 20; k++) tail += choose(20, k) * rate ** k * (1 - rate) ** (20 - k);
    expect(tail).toBeCloseTo(0.1, 9);
  });
});

test('a quantile of the beta distribution is where its function has that value, however skewed it is', () => {
  const size = fc.double({ min: 0.2, max: 3000, noNaN: true });
  fc.assert(
    fc.property(size, size, fc.double({ min: 1e-6, max: 0.999999, noNaN: true }), (a, b, p) => {
      const x = betaQuantile(p, a, b);
      const at = (place: number) => regularisedBeta(Math.min(1, Math.max(0, place)), a, b);
      const near = 1e-9 * Math.min(x, 1 - x) + 1e-12 * x + 1e-15;
      expect(at(x - near)).toBeLessThanOrEqual(p * (1 + 1e-8));
      expect(at(x + near)).toBeGreaterThanOrEqual(p * (1 - 1e-8));
    }),
    { numRuns: 2000 },
  );
  expect([0, 1].map((certain) => betaQuantile(certain, 3, 5))).toEqual([0, 1]);
  expect(betaQuantile(0.3, 1, 1)).toBeCloseTo(0.3, 11);
  expect(betaQuantile(0.25, 0.5, 0.5)).toBeCloseTo(Math.sin((Math.PI * 0.25) / 2) ** 2, 11);
});

test('the regularised beta function is symmetric', () => {
  expect(regularisedBeta(0.3, 4, 9) + regularisedBeta(0.7, 9, 4)).toBeCloseTo(1, 12);
  expect(regularisedBeta(0.25, 1, 1)).toBeCloseTo(0.25, 12);
});

function choose(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value *= (n - k + i) / i;
  return value;
}

describe('tails', () => {
  test('of counts agree with sums by hand', () => {
    expect(binomialTail(3, 4, 0.5)).toBeCloseTo(5 / 16, 10);
    expect(binomialTail(0, 4, 0.5)).toBe(1);
    expect(binomialTail(5, 4, 0.5)).toBe(0);
    // Of 5 draws from 6 marked and 4 others: none or one marked is 1 · C(4, 5) + 6 · C(4, 4) of C(10, 5).
    expect(hypergeometricAtMost(1, 5, 6, 10)).toBeCloseTo(6 / 252, 10);
    expect(hypergeometricAtMost(5, 5, 6, 10)).toBeCloseTo(1, 10);
  });
});
