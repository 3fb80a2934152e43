import { type DateReading, shiftDays } from './day-shift.js';
import { mayBeLived } from './lived-year.js';
import { monthNamed } from './months.js';
import { weekdayNamed } from './weekdays.js';

/** What joins the parts of a date or makes it vague; none says which day it is. */
const JOINING: ReadonlySet<string> = new Set([
  ...['of', 'the', 'on', 'in', 'at', 'since', 'until', 'from', 'to', 'before', 'after', 'during'],
  ...['early', 'mid', 'late', 'about', 'around', 'year', 'month', 'day', 'week'],
  ...['de', 'del', 'el', 'la', 'en', 'a', 'al', 'desde', 'hasta', 'hace', 'fecha'],
  ...['principios', 'mediados', 'finales', 'año', 'años', 'mes', 'día', 'dia', 'semana'],
  ...['st', 'nd', 'rd', 'th', 'ro', 'er', 'º', 'ª'],
]);
const WORD = /[\p{L}\p{M}]+/gu;
const YEAR = /(?<!\d)\d{4}(?!\d)/g;

/**
 * A date moved by a number of days, its weekday with it. Undefined where it holds a word that would tell of the day
 * that it was, such as a feast, a season or a number in words, and where its year is of nobody's life.
 */
export function movedDate(text: string, days: number, reading: DateReading): string | undefined {
  const words = Array.from(text.matchAll(WORD), ([word]) => word.normalize('NFC').toLowerCase());
  const isUnderstood = words.every(
    (word) =>
      JOINING.has(word) || monthNamed(word) !== undefined || weekdayNamed(word) !== undefined,
  );
  const isLived = Array.from(text.matchAll(YEAR), Number).every(mayBeLived);
  return isUnderstood && isLived ? shiftDays(text, days, reading) : undefined;
}
