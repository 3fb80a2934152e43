import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

const [BEFORE, AFTER] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`];

/** HMRC, National Insurance Manual, NIM39110; prefixes that are never given out are written in examples. */
const NATIONAL_INSURANCE_SHAPES: readonly Shape[] = [
  {
    pattern: 'two letters, six digits and a letter',
    expression: new RegExp(
      String.raw`${BEFORE}[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]${AFTER}`,
      'giu',
    ),
    score: 0.5,
    check: (match) => !/^(?:mg|ml|kg|cm|mm|iu|pg|ng)/iu.test(match),
  },
];

/** DVLA: five of the surname, the date of birth, initials, and three of its own. */
const DRIVING_LICENCE_SHAPES: readonly Shape[] = [
  {
    pattern: 'sixteen characters with a date of birth',
    expression: new RegExp(
      String.raw`${BEFORE}(?=[A-Z]{1,5}9{0,4}\d)[A-Z9]{5}\d[0156]\d(?:0[1-9]|[12]\d|3[01])\d[A-Z9]{2}[A-Z\d][A-Z]{2}${AFTER}`,
      'giu',
    ),
    score: 0.9,
  },
];

export const UK_NATIONAL_INSURANCE: Recogniser = {
  name: 'UkNinoRecognizer',
  type: 'UK_NINO',
  languages: ['en'],
  context: ['national', 'insurance', 'nino'],
  find: (text) => matchesOf(text, NATIONAL_INSURANCE_SHAPES),
};

export const UK_DRIVING_LICENCE: Recogniser = {
  name: 'UkDrivingLicenceRecognizer',
  type: 'UK_DRIVING_LICENCE',
  languages: ['en'],
  context: ['driv', 'licence', 'license', 'dvla'],
  find: (text) => matchesOf(text, DRIVING_LICENCE_SHAPES),
};
