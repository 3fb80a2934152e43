import { expect, test } from '@jest/globals';
import { recallAtPrecision } from '../../../models/evaluation/recall-at-precision.js';

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

test('the recall at a precision is the greatest of any threshold that has it', () => {
  expect(recallAtPrecision(TOKENS, 1)).toEqual({ threshold: 0.9, precision: 1, recall: 0.25 });
  // A lower threshold has it again, after one between that has not.
  expect(recallAtPrecision(TOKENS, 0.7)).toEqual({ threshold: 0.6, precision: 0.75, recall: 0.75 });
  expect(recallAtPrecision(TOKENS, 0.6)?.recall).toBe(1);
});

test('tokens of one posterior are on one side, and a precision that none has gives nothing', () => {
  const tied = judged([0.9, true], [0.5, true], [0.5, false], [0.5, false]);
  expect(recallAtPrecision(tied, 0.6)).toEqual({ threshold: 0.9, precision: 1, recall: 0.5 });
  expect(recallAtPrecision(judged([0.9, false], [0.1, true]), 0.9)).toBeUndefined();
  expect(recallAtPrecision([], 0.5)).toBeUndefined();
});
