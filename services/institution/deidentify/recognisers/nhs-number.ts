import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** One number of ten digits in eleven passes the check by chance, so that it wants a word before it. */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'ten digits with their check digit',
    expression: /(?<![\p{L}\p{N}]|\d[ .-])\d{3}([ -]?)\d{3}\1\d{4}(?![\p{L}\p{N}]|[ -]\d)/gu,
    score: 0.2,
    check: hasCheckDigit,
  },
];

/** NHS Data Dictionary, NHS NUMBER: weights 10 to 2, modulus 11. */
function hasCheckDigit(match: string): boolean {
  const digits = [...match.replace(/\D/g, '')].map(Number);
  const sum = digits.slice(0, 9).reduce((total, digit, place) => total + digit * (10 - place), 0);
  return (11 - (sum % 11)) % 11 === digits[9];
}

/** Of patients in England, Wales and the Isle of Man. */
export const NHS_NUMBER: Recogniser = {
  name: 'NhsRecognizer',
  type: 'UK_NHS',
  languages: ['en'],
  context: ['nhs', 'health service'],
  find: (text) => matchesOf(text, SHAPES),
};
