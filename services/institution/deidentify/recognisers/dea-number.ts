import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** Kinds of registrants, then the first letter of a name or a 9. One in ten passes the check by chance. */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'two letters, seven digits with their check digit',
    expression: /(?<![\p{L}\p{N}])[ABCDEFGHJKLMPRSTUX][A-Z9]\d{7}(?![\p{L}\p{N}])/gu,
    score: 0.3,
    check: hasCheckDigit,
  },
];

/** The last digit of: the first, third and fifth, and twice the second, fourth and sixth. */
function hasCheckDigit(match: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, last] = [...match.slice(2)].map(Number);
  return (a + c + e + 2 * (b + d + f)) % 10 === last;
}

/** Of those who may prescribe controlled substances in the United States. */
export const DEA_NUMBER: Recogniser = {
  name: 'DeaNumberRecognizer',
  type: 'MEDICAL_LICENSE',
  languages: ['en'],
  context: ['dea', 'prescri', 'license', 'registration', 'certificate'],
  find: (text) => matchesOf(text, SHAPES),
};
