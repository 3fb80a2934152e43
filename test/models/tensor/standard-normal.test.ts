import { expect, test } from '@jest/globals';
import {
  logStandardNormalCdf,
  standardNormalCdf,
  standardNormalQuantile,
} from '../../../models/tensor/standard-normal.js';

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

test.each([
  [0, Math.log(0.5)],
  [-3.999, Math.log(3.1805e-5)],
  [-4.001, Math.log(3.1537e-5)],
  [-10, -53.23128515051247],
  [-40, -804.6084420137538],
])('log Φ(%p) is %p', (x, expected) => {
  expect(logStandardNormalCdf(x)).toBeCloseTo(expected, 3);
});

test.each([
  [0.5, 0],
  [0.975, 1.959963984540054],
  [0.0013498980316300946, -3],
  [1e-9, -5.997807015007686],
  [1e-300, -37.0470964],
])('Φ is %p at %p', (probability, x) => {
  expect(standardNormalQuantile(probability)).toBeCloseTo(x, 6);
  expect(logStandardNormalCdf(standardNormalQuantile(probability))).toBeCloseTo(
    Math.log(probability),
    9,
  );
});
