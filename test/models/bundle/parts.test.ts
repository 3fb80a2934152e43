import { expect, test } from '@jest/globals';
import { joinParts, partOf } from '../../../models/bundle/parts.js';

test('the networks of a bundle share one file and come apart again', () => {
  const representation = { 'noise/input': { shape: [1], data: new Float32Array([1]) } };
  const deidentifier = { 'noise/input': { shape: [1], data: new Float32Array([2]) } };
  const weights = joinParts({ representation, deidentifier });
  expect(Object.keys(weights)).toEqual(['representation/noise/input', 'deidentifier/noise/input']);
  expect(partOf(weights, 'representation')).toEqual(representation);
  expect(partOf(weights, 'deidentifier')).toEqual(deidentifier);
  expect(partOf(weights, 'adversary')).toEqual({});
});
