import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

const ALONE = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`] as const;

function alone(...forms: readonly string[]): RegExp {
  return new RegExp(`${ALONE[0]}(?:${forms.join('|')})${ALONE[1]}`, 'gu');
}

/**
 * Many other numbers have the shapes of the states' licences. One with letters is a weak finding, one of
 * digits alone a weaker one; a word before it that names a licence raises both.
 */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'letters and digits',
    expression: alone(
      String.raw`[A-Z]\d{3,9}`,
      String.raw`[A-Z]\d{11,14}`,
      String.raw`[A-Z]{2}\d{3,8}`,
      String.raw`\d{7,9}[A-Z]{1,2}`,
      String.raw`\d{2}[A-Z]{3}\d{5,6}`,
      String.raw`\d{3}[A-Z]{2}\d{4}`,
      String.raw`[A-Z]\d{6}R`,
      String.raw`[A-Z]{2}\d{6}[A-Z]`,
    ),
    score: 0.3,
  },
  { pattern: 'digits', expression: alone(String.raw`\d{7,12}`), score: 0.01 },
];

export const US_DRIVER_LICENSE: Recogniser = {
  name: 'UsLicenseRecognizer',
  type: 'US_DRIVER_LICENSE',
  languages: ['en'],
  context: ['driver', 'license', 'licence', 'permit'],
  find: (text) => matchesOf(text, SHAPES),
};
