import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pairStatistics } from '../../../models/attacks/likelihood/pair-statistics.js';
import { empiricalEpsilon } from '../../../models/statistics/empirical-epsilon.js';
import {
  areaUnder,
  rocCurve,
  thinnedRoc,
  truePositivesAt,
} from '../../../models/statistics/roc.js';
import { Random } from '../../../models/tensor/random.js';

const pair = fc.record({
  documentIndex: fc.integer({ min: 0, max: 5 }),
  score: fc.constantFrom(-2, -1, 0, 1, 2),
  real: fc.boolean(),
});
const pairs = fc
  .array(pair, { minLength: 2, maxLength: 30 })
  .filter((all) => all.some(({ real }) => real) && all.some(({ real }) => !real));

/** Reals score N(distance, 1) and fakes N(0, 1), as the likelihood ratio of two Gaussians does. */
function gaussianPairs(distance: number, count: number, seed: number) {
  return [...new Random(seed).normals(count)].map((z, i) => {
    const real = i % 2 === 0;
    const x = real ? z + distance : z;
    return { documentIndex: i, score: distance * (x - distance / 2), real };
  });
}

describe('the area under the ROC curve', () => {
  test('is the share of (real, fake) couples in order, ties counting one half', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const real = all.filter((each) => each.real);
        const fake = all.filter((each) => !each.real);
        let wins = 0;
        for (const a of real)
          for (const b of fake) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
        expect(areaUnder(rocCurve(all))).toBeCloseTo(wins / (real.length * fake.length), 12);
      }),
    );
  });
});

describe('the ROC curve', () => {
  test('climbs from nothing to everything, thinned or not', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const points = rocCurve(all);
        for (const curve of [points, thinnedRoc(points)]) {
          expect(curve[0]).toEqual([0, 0]);
          expect(curve.at(-1)).toEqual([1, 1]);
        }
      }),
    );
  });

  test('gives the true positives at a rate of false alarms', () => {
    const points = rocCurve(gaussianPairs(2, 40_000, 3));
    expect(truePositivesAt(points, 0.01)).toBeCloseTo(0.372, 1); // Φ(2 − 2.326)
    expect(truePositivesAt(points, 0.001)).toBeLessThan(truePositivesAt(points, 0.01));
  });
});

describe('the statistics of pairs', () => {
  test('have intervals over documents that hold them', () => {
    const pairs = gaussianPairs(1, 600, 5);
    const few = pairs.map((each) => ({ ...each, documentIndex: each.documentIndex % 12 }));
    const of = (all: typeof pairs) => {
      const { auc, intervals } = pairStatistics(all);
      expect(intervals.auc[0]).toBeLessThan(auc);
      expect(intervals.auc[1]).toBeGreaterThan(auc);
      return intervals;
    };
    const { auc, truePositivesAt1Percent } = of(pairs);
    expect(auc[0]).toBeLessThan(0.7602); // Φ(1 / √2)
    expect(auc[1]).toBeGreaterThan(0.7602);
    expect(truePositivesAt1Percent[1]).toBeGreaterThan(truePositivesAt1Percent[0]);
    of(few);
  });
});

describe('the empirical lower limit on ε', () => {
  test('is zero for an attacker who guesses', () => {
    expect(empiricalEpsilon(gaussianPairs(0, 2000, 1)).epsilon).toBe(0);
  });

  test('lies below the ε of the mechanism that is attacked, and rises with the leak', () => {
    const found = [0.5, 1, 2].map(
      (distance) => empiricalEpsilon(gaussianPairs(distance, 4000, 7)).epsilon,
    );
    expect(found[0]).toBeGreaterThan(0);
    expect(found[1]).toBeGreaterThan(found[0]);
    expect(found[2]).toBeGreaterThan(found[1]);
    // Of Gaussians at distance 1: δ = 1e-5 at ε = 4.4.
    expect(found[1]).toBeLessThan(4.4);
  });
});
