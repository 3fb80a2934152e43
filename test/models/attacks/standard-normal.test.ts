import { expect, test } from '@jest/globals';
import { standardNormalCdf } from '../../../models/attacks/standard-normal.js';

test.each([
  [0, 0.5],
  [1, 0.8413447460685429],
  [-1, 0.15865525393145707],
  [1.959963984540054, 0.975],
  [3, 0.9986501019683699],
  [-6, 9.865876450376946e-10],
  [40, 1],
  [-40, 0],
])('Φ(%p) is %p', (x, expected) => {
  expect(standardNormalCdf(x)).toBeCloseTo(expected, 13);
});
