import { MONTHS, shiftDays, spelled } from './day-shift.js';
import { mayBeLived } from './lived-year.js';
import { weekdaysWith } from './weekdays.js';

/** What joins the parts of a date or makes it vague; none says which day it is. */
const JOINING: ReadonlySet<string> = new Set([
  ...['of', 'the', 'on', 'in', 'at', 'since', 'until', 'from', 'to', 'before', 'after', 'during'],
  ...['early', 'mid', 'late', 'about', 'around', 'year', 'month', 'day', 'week'],
  ...['de', 'del', 'el', 'la', 'en', 'a', 'al', 'desde', 'hasta', 'hace', 'fecha'],
  ...['principios', 'mediados', 'finales', 'año', 'años', 'mes', 'día', 'dia', 'semana'],
  ...['st', 'nd', 'rd', 'th', 'ro', 'er', 'º', 'ª'],
]);
const MONTH_NAMES: ReadonlySet<string> = new Set(MONTHS.flat());
const WORD = /[\p{L}\p{M}]+/gu;
const MONTH_IN_DIGITS = /\d\s?[./-]\s?\d/;
const YEAR = /(?<!\d)\d{4}(?!\d)/g;

/**
 * A date moved by a number of days, its weekday with it. Undefined where it holds a word that would tell of the day
 * that it was, such as a feast, a season or a number in words, and where its year is of nobody's life.
 */
export function movedDate(text: string, days: number, dayFirst: boolean): string | undefined {
  const words = Array.from(text.matchAll(WORD), ([word]) => word.normalize('NFC').toLowerCase());
  const months = words.filter((word) => MONTH_NAMES.has(word));
  const isUnderstood = words.every(
    (word) => MONTH_NAMES.has(word) || JOINING.has(word) || weekdaysWith(word) !== undefined,
  );
  const isLived = Array.from(text.matchAll(YEAR), Number).every(mayBeLived);
  // `mar` is also a weekday in Spanish.
  const isMonthTold = months.length > 1 || (months.length === 1 && MONTH_IN_DIGITS.test(text));
  if (!isUnderstood || !isLived || isMonthTold) return undefined;
  return shiftDays(text, days, dayFirst)?.replaceAll(WORD, (word) => movedWeekday(word, days));
}

function movedWeekday(word: string, days: number): string {
  const lower = word.normalize('NFC').toLowerCase();
  const names = weekdaysWith(lower);
  if (!names || MONTH_NAMES.has(lower)) return word;
  const at = (names.indexOf(lower) + days) % names.length;
  return spelled(names.at(at) as string, word);
}
