import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** No letter of a Medicare Beneficiary Identifier looks like a digit: neither S, L, O, I, B nor Z. */
const LETTER = '[AC-HJKMNP-RT-Y]';
const EITHER = String.raw`[AC-HJKMNP-RT-Y\d]`;

/** Centers for Medicare and Medicaid Services, "Understanding the Medicare Beneficiary Identifier (MBI) format". */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'eleven characters, with or without hyphens',
    expression: new RegExp(
      String.raw`(?<![\p{L}\p{N}])[1-9]${LETTER}${EITHER}\d-?${LETTER}${EITHER}\d-?${LETTER}{2}\d{2}(?![\p{L}\p{N}])`,
      'giu',
    ),
    score: 0.8,
  },
];

export const US_MEDICARE: Recogniser = {
  name: 'UsMbiRecognizer',
  type: 'US_MBI',
  languages: ['en'],
  context: ['medicare', 'mbi', 'beneficiary'],
  find: (text) => matchesOf(text, SHAPES),
};
