/** Beside the digits of an age, in English and Spanish. */
const AGE_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'age', 'aged', 'ages', 'and', 'at', 'of', 'in', 'old', 'o', 's'],
  ...['y', 'yo', 'yr', 'yrs', 'year', 'years', 'm', 'mo', 'mos', 'month', 'months', 'w', 'wk'],
  ...['wks', 'week', 'weeks', 'd', 'day', 'days', 'h', 'hr', 'hrs', 'hour', 'hours'],
  ...['año', 'años', 'ano', 'anos', 'mes', 'meses', 'semana', 'semanas', 'día', 'días', 'dia'],
  ...['dias', 'hora', 'horas', 'de', 'edad', 'e'],
]);

/**
 * Moved, all of these would say by how much: decades end with 0, ordinals by their digit, halves are .5 and months twelfths;
 * ranges and bounds are round, as `40-50` and `65+`.
 */
const TELLING =
  /\d['’]?(?:s|st|nd|rd|th)(?!\p{L})|\d(?:[.,]|\s*\/\s*)\d|\d\s*(?:\p{Pd}|−|to|a)\s*\d|[+<>≤≥≈~±]/iu;

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
