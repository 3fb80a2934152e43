import { expect, test } from '@jest/globals';
import {
  LIMIT_OF_PAIRS,
  statedLimits,
  statedScore,
  VALIDATION_NOTES,
} from '../../../models/bundle/stated-scores.js';

test('a limit on notes that training did not stop by stands before one on those that it did', () => {
  const validation = `${LIMIT_OF_PAIRS}, ${VALIDATION_NOTES}`;
  const heldOut = `${LIMIT_OF_PAIRS}, held-out notes`;
  const scores = {
    ...statedScore(validation, { value: 0.52, interval: [0.51, 0.53] }),
    ...statedScore(heldOut, { value: 0.54, interval: [0.53, 0.55] }),
  };
  expect(statedLimits(scores).map(({ name }) => name)).toEqual([heldOut, validation]);
});
