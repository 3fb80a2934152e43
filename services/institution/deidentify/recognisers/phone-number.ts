import { type CountryCode, findPhoneNumbersInText } from './phone-numbers-in-text.js';
import { matchesOf, type PatternMatch, type Recogniser, type Shape } from './recogniser.js';

/** Countries whose national numbers are looked for, by the language of the text. */
const COUNTRIES: Readonly<Record<string, readonly CountryCode[]>> = {
  en: ['US', 'GB'],
  es: ['ES'],
};

const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.,/-])`;
const AFTER = String.raw`(?![\p{L}\p{N}]|[/-]\d)`;
const EXTENSION = String.raw`(?:[ ,]{0,2}(?:x|extn?\.?|extension)[ :#]{0,2}\d{1,6})?`;
/** Of a house: neither an angle (`extension 110 degrees`) nor a grade (`ext 5/5`). */
const UNIT = `(?! ?(?:°|deg|cm|mm))`;

function whole(form: string): RegExp {
  return new RegExp(BEFORE + form + AFTER, 'giu');
}

/** How numbers are written, whether or not they are given out: a mistyped one names somebody too. */
const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  en: [
    {
      pattern: 'North American, in groups',
      expression: whole(
        String.raw`(?:\+?1[ .-]?)?(?:\(\d{3}\)[ -]?|\d{3}[ .-])\d{3}[ .-]\d{4}${EXTENSION}`,
      ),
      score: 0.5,
    },
    {
      pattern: 'North American, with letters',
      expression: whole(
        String.raw`(?:\+?1[ .-])8(?:00|33|44|55|66|77|88)[ .-](?=[A-Z\d-]*[A-Z])[A-Z\d]{3}-?[A-Z\d]{4}`,
      ),
      score: 0.7,
    },
    {
      pattern: 'extension',
      expression: whole(
        String.raw`(?<=(?<!\p{L})(?:ext|extn|extension)[ .:#]{1,3}(?:no\.? ?)?)\d{4,6}${UNIT}`,
      ),
      score: 0.5,
    },
    {
      pattern: 'pager',
      expression: whole(
        String.raw`(?<=(?<!\p{L})(?:pager|beeper|bleep)(?: (?:number|no\.?|id))?[ :#]{1,3})(?:\d{3,7}|\d{3}-\d{4})${UNIT}`,
      ),
      score: 0.6,
    },
  ],
  es: [
    {
      pattern: 'Spanish, in groups',
      expression: whole(
        String.raw`(?:\+34[ .-]?)?(?:[6-9]\d{2}([ .-])(?:\d{3}\1\d{3}|\d{2}\1\d{2}\1\d{2})|[89]\d([ .-])\d{3}\2\d{2}\2\d{2})`,
      ),
      score: 0.5,
    },
  ],
};

const INTERNATIONAL: readonly Shape[] = [
  {
    pattern: 'with a country code',
    expression: /(?<![\p{L}\p{N}+])(?:\+|00)[1-9]\d{0,2}(?:[ .()/-]{0,2}\d){7,13}(?!\d)/gu,
    score: 0.5,
  },
];

/** Numbers that a country gives out (libphonenumber), and all that are written like one. */
export function phoneNumber(languages: readonly string[]): Recogniser {
  const countries = languages.flatMap((language) => COUNTRIES[language] ?? []);
  const shapes = [...INTERNATIONAL, ...languages.flatMap((language) => SHAPES[language] ?? [])];
  return {
    name: 'PhoneRecognizer',
    type: 'PHONE_NUMBER',
    context: [
      'phone',
      'telephone',
      'number',
      'mobile',
      'cell',
      'call',
      'fax',
      'teléfono',
      'tel',
      'móvil',
    ],
    *find(text) {
      for (const country of countries) yield* allottedNumbers(text, country);
      yield* matchesOf(text, shapes);
    },
  };
}

function* allottedNumbers(text: string, defaultCountry: CountryCode): Generator<PatternMatch> {
  for (const { startsAt, endsAt } of findPhoneNumbersInText(text, { defaultCountry }))
    yield { start: startsAt, end: endsAt, score: 0.7, pattern: `given out in ${defaultCountry}` };
}
