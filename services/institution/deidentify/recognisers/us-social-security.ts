import { labelledNumber } from './labelled-number.js';
import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** 20 CFR 422.103: no area 000, 666 or 900 to 999, no group 00, no serial 0000. */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'number in three groups',
    expression:
      /(?<![\p{L}\p{N}])(?<!\d[-.])(?!000|666|9\d\d)\d{3}([-. ])(?!00)\d{2}\1(?!0000)\d{4}(?![\p{L}\p{N}]|[-.]\d)/gu,
    score: 0.5,
  },
];

export const US_SOCIAL_SECURITY: Recogniser = {
  name: 'UsSsnRecognizer',
  type: 'US_SSN',
  languages: ['en'],
  context: ['social', 'security', 'ssn'],
  find: (text) => matchesOf(text, SHAPES),
};

/** Without hyphens, or its last four digits, behind words that name it. */
export const NAMED_SOCIAL_SECURITY = labelledNumber({
  name: 'NamedSsnRecognizer',
  type: 'US_SSN',
  languages: ['en'],
  words: ['SSN', 'SS ?#', 'social security'],
  form: String.raw`(?:\d{3}[-. ]?\d{2}[-. ]?\d{4}|(?:[x*]{3}-?[x*]{2}-?)?\d{4})`,
});
