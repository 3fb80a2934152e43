import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { areaUnderRoc, pairAccuracy } from '../../../models/attacks/pair-scores.js';

const score = fc.record({
  documentIndex: fc.integer({ min: 0, max: 5 }),
  probability: fc.constantFrom(0.1, 0.3, 0.5, 0.7, 0.9),
  real: fc.boolean(),
});

describe('the area under the ROC curve', () => {
  test('is the share of (real, fake) couples in order, ties counting one half', () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 2, maxLength: 30 }), (scores) => {
        const real = scores.filter((each) => each.real);
        const fake = scores.filter((each) => !each.real);
        fc.pre(real.length > 0 && fake.length > 0);
        let wins = 0;
        for (const a of real) {
          for (const b of fake) {
            wins += a.probability > b.probability ? 1 : a.probability === b.probability ? 0.5 : 0;
          }
        }
        expect(areaUnderRoc(scores)).toBeCloseTo(wins / (real.length * fake.length), 12);
      }),
    );
  });
});

describe('pair accuracy', () => {
  test('counts a pair as called real from one half up', () => {
    const report = pairAccuracy(
      [
        { documentIndex: 0, probability: 0.5, real: true },
        { documentIndex: 0, probability: 0.49, real: false },
        { documentIndex: 1, probability: 0.9, real: false },
        { documentIndex: 1, probability: 0.9, real: true },
      ],
      1,
    );
    expect(report).toMatchObject({ pairs: 4, documents: 2, accuracy: 0.75, advantage: 0.5 });
    expect(report.interval[0]).toBeLessThanOrEqual(0.75);
    expect(report.interval[1]).toBeGreaterThanOrEqual(0.75);
  });
});
