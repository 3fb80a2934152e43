import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  curveIntervals,
  type JudgedToken,
  OperatingCurve,
} from '../../../models/evaluation/operating-curve.js';

const judged = (...tokens: readonly (readonly [number, boolean])[]) =>
  tokens.map(([phi, isPhi]) => ({ phi, isPhi }));

const TOKENS = judged(
  [0.9, true],
  [0.8, false],
  [0.7, true],
  [0.6, true],
  [0.2, false],
  [0.1, true],
);

const at = (tokens: readonly JudgedToken[], precision: number) =>
  new OperatingCurve([tokens]).at(precision);

describe('an operating curve', () => {
  test('the recall at a precision is the greatest of any threshold that has it', () => {
    expect(at(TOKENS, 1)).toEqual({ threshold: 0.9, precision: 1, recall: 0.25 });
    // A lower threshold has it again, after one between that has not.
    expect(at(TOKENS, 0.7)).toEqual({ threshold: 0.6, precision: 0.75, recall: 0.75 });
    expect(at(TOKENS, 0.6)?.recall).toBe(1);
  });

  test('tokens of one posterior are on one side, and a precision that none has gives nothing', () => {
    const tied = judged([0.9, true], [0.5, true], [0.5, false], [0.5, false]);
    expect(at(tied, 0.6)).toEqual({ threshold: 0.9, precision: 1, recall: 0.5 });
    expect(at(judged([0.9, false], [0.1, true]), 0.9)).toBeUndefined();
    expect(at([], 0.5)).toBeUndefined();
  });

  test('a document that counts several times is as good as so many of it', () => {
    const tokens = fc.array(
      fc.record({ phi: fc.constantFrom(0.1, 0.3, 0.5, 0.9), isPhi: fc.boolean() }),
    );
    const documents = fc.array(fc.tuple(tokens, fc.integer({ min: 0, max: 3 })), { minLength: 1 });
    fc.assert(
      fc.property(documents, (all) => {
        const weights = Uint32Array.from(all, ([, weight]) => weight);
        const repeated = all.flatMap(([one, weight]) => Array.from({ length: weight }, () => one));
        const curve = new OperatingCurve(all.map(([one]) => one));
        const [recall] = curve.recalls([0.8], weights);
        expect(recall).toBe(new OperatingCurve(repeated).at(0.8)?.recall ?? 0);
      }),
    );
  });
});

describe('intervals of curves', () => {
  test('documents that are alike leave no doubt, others do', () => {
    const alike = new OperatingCurve(Array.from({ length: 12 }, () => TOKENS));
    const intervals = curveIntervals(12, (weights) => alike.recalls([0.7, 1], weights));
    expect(intervals).toEqual([
      [0.75, 0.75],
      [0.25, 0.25],
    ]);
    const found = judged([0.9, true]);
    const missed = judged([0.1, true], [0.8, false]);
    const unequal = new OperatingCurve(
      Array.from({ length: 4 }, () => [found, found, missed]).flat(),
    );
    const [[low, high]] = curveIntervals(12, (weights) => unequal.recalls([1], weights));
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.8);
  });

  test('two curves over the same documents are resampled alike', () => {
    const tokens = [...TOKENS, ...TOKENS];
    const curve = new OperatingCurve(tokens.map((token) => [token]));
    // Less sure of every token, in the same order: as good, whichever documents are drawn.
    const halved = new OperatingCurve(tokens.map((token) => [{ ...token, phi: token.phi / 2 }]));
    const turned = new OperatingCurve(tokens.map((token) => [{ ...token, phi: 1 - token.phi }]));
    const above = (other: OperatingCurve) =>
      curveIntervals(tokens.length, (weights) => {
        return [(curve.recalls([0.7], weights)[0] ?? 0) - (other.recalls([0.7], weights)[0] ?? 0)];
      });
    expect(above(halved)).toEqual([[0, 0]]);
    expect(above(turned)).not.toEqual([[0, 0]]);
  });
});
