import { expect, test } from '@jest/globals';
import { sharesPhi } from '../../../../services/institution/deidentify/named-id.js';

const TEXT = 'John SMITH, MRN 12345, of Ely, was well.';
const found = ['John SMITH', '12345', 'Ely'].map((phi) => {
  const start = TEXT.indexOf(phi);
  return { type: 'PHI', start, end: start + phi.length };
});

test.each([
  ['smith_1943', true],
  ['visit-12345', true],
  ['Notes of Ely', true],
  ['north-0001', false],
  ['was-well', false],
  ['smithson', false],
  ['', false],
])('%p has a word of the PHI in its note: %p', (id, expected) => {
  expect(sharesPhi(id, TEXT, found)).toBe(expected);
});
