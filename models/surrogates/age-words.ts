import { APOSTROPHE } from './apostrophe.js';

/** Beside the digits of an age, in English and Spanish. */
const AGE_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'age', 'aged', 'ages', 'at', 'of', 'in', 'old', 'o', 's'],
  ...['y', 'yo', 'yr', 'yrs', 'year', 'years', 'm', 'mo', 'mos', 'month', 'months', 'w', 'wk'],
  ...['wks', 'week', 'weeks', 'd', 'day', 'days', 'h', 'hr', 'hrs', 'hour', 'hours'],
  ...['año', 'años', 'ano', 'anos', 'mes', 'meses', 'semana', 'semanas', 'día', 'días', 'dia'],
  ...['dias', 'hora', 'horas', 'de', 'edad', 'e'],
]);

/** Part of a pattern: what says that an age is a bound or a guess. */
export const INEXACT = '[+<>≤≥≦≧⩽⩾＜＞≈~∼～±]';

/**
 * Moved, all of these would say by how much: decades end with 0, ordinals by their digit; of several numbers ranges are
 * round, halves are .5, and months beside years twelfths; bounds and guesses are round, as `65+`.
 */
const TELLING = new RegExp(
  String.raw`\d${APOSTROPHE}?(?:s|st|nd|rd|th)(?!\p{L})|\d\D+\d|${INEXACT}`,
  'iu',
);

/**
 * Whether a mention gives an age in digits alone, in a form that does not say by how much it moved: any other word may be
 * a number, or one of a bound or of a guess (`over 65`, `about 60`), which are round.
 */
export function isAgeInDigits(mention: string): boolean {
  const words =
    mention
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  const hasOtherNumbers = /\p{N}/u.test(mention.replace(/\d/g, ''));
  return !hasOtherNumbers && !TELLING.test(mention) && words.every((word) => AGE_WORDS.has(word));
}
