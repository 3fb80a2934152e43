import { APOSTROPHE } from './apostrophe.js';

/**
 * Dates in notes, moved by one number of days and written as they were: `03/05/2018`, `2018-05-03`,
 * `3 de mayo de 2018`, `May 3, 2018`, `3 May`, `May '18`, `05/2018`, `2018`. Days count from 1970 in UTC.
 */
const DAY_MS = 86_400_000;
/** Lists of twelve, the whole names before the short ones. */
export const MONTHS: readonly (readonly string[])[] = [
  [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
  [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
];
const BEHIND_APOSTROPHE = new RegExp(`${APOSTROPHE}$`, 'u');
const PIVOT_YEAR = 70;
/** A year that has no 29 February would lose one. */
const LEAP_YEAR = 2000;

interface Moved {
  readonly text: string;
}

interface DateParts {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
}

/** The text with its date moved; undefined where it holds no date that can be read. */
export function shiftDays(text: string, days: number, dayFirst = true): string | undefined {
  const moved =
    numericDate(text, days, dayFirst) ?? namedMonth(text, days) ?? yearAlone(text, days);
  return moved?.text;
}

/** True for day first, false for month first, undefined where both could be. */
export function dayFirstIn(text: string): boolean | undefined {
  const [, first, second] = /(?<!\d)(\d{1,2})[./-](\d{1,2})(?!\d)/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  if (Number(first) > 12) return true;
  return Number(second) > 12 ? false : undefined;
}

function numericDate(text: string, days: number, dayFirst: boolean): Moved | undefined {
  const iso = /(?<!\d)(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text);
  if (iso) {
    const [, year = '', mark, month = '', day = ''] = iso;
    const moved = move({ year: Number(year), month: Number(month), day: Number(day) }, days);
    if (!moved) return undefined;
    const written = [`${moved.year}`, padded(moved.month, month), padded(moved.day, day)];
    return replaced(text, [{ match: iso, by: written.join(mark) }]);
  }
  const full = /(?<!\d)(\d{1,2})(\s?[./-]\s?)(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)/.exec(text);
  if (full) {
    const [all, first = '', mark = '', second = '', year] = full;
    const isDayFirst = dayFirstIn(all) ?? dayFirst;
    const [day, month] = isDayFirst ? [first, second] : [second, first];
    const parts = { year: fullYear(year), month: Number(month), day: Number(day) };
    const moved = move(parts, days);
    if (!moved) return undefined;
    const [d, m] = [padded(moved.day, day), padded(moved.month, month)];
    const written = isDayFirst ? [d, m] : [m, d];
    if (year !== undefined) written.push(shortYear(moved.year, year));
    return replaced(text, [{ match: full, by: written.join(mark) }]);
  }
  const partial = /(?<!\d)(\d{1,2})([./-])(\d{4})(?!\d)/.exec(text);
  if (!partial) return undefined;
  const [, month = '', mark = '', year = ''] = partial;
  const moved = move({ year: Number(year), month: Number(month), day: undefined }, days);
  const by = moved && `${padded(moved.month, month)}${mark}${moved.year}`;
  return by === undefined ? undefined : replaced(text, [{ match: partial, by }]);
}

function namedMonth(text: string, days: number): Moved | undefined {
  const words = [...text.matchAll(/\p{L}+/gu)];
  for (const names of MONTHS) {
    const word = words.find(([each]) => names.includes(each.toLowerCase()));
    if (!word) continue;
    const [name] = word;
    const numbers = [...text.matchAll(/(\d+)(?:(?:st|nd|rd|th|ro|er)(?!\p{L}))?/giu)];
    const year = numbers.find((number) => isYear(number, text));
    const day = numbers.find(
      (each) => each !== year && (each[1] ?? '').length <= 2 && Number(each[1]) <= 31,
    );
    const month = names.indexOf(name.toLowerCase()) + 1;
    const parts = { year: fullYear(year?.[1]), month, day: day && Number(day[1]) };
    const moved = move(parts, days);
    if (!moved) return undefined;
    const changes = [
      { match: word, by: spelled(names[moved.month - 1] as string, name) },
      ...(year ? [{ match: year, by: shortYear(moved.year, year[0]) }] : []),
      ...(day ? [{ match: day, by: dayLike(day, moved.day) }] : []),
    ];
    return replaced(text, changes);
  }
  return undefined;
}

/** Of four digits, or of two behind an apostrophe. */
function isYear({ 0: written, index }: RegExpExecArray, text: string): boolean {
  const isBehind = BEHIND_APOSTROPHE.test(text.slice(0, index));
  return /^\d{4}$/.test(written) || (/^\d\d$/.test(written) && isBehind);
}

/** With a leading zero or the ending of an ordinal where the day had one. */
function dayLike([written = '', number = '']: RegExpExecArray, day: number): string {
  const ending = written.slice(number.length);
  const digits = padded(day, number.startsWith('0') ? '00' : '0');
  return digits + (ending === '' ? '' : inCaseOf(ending, ordinalEnding(ending, day)));
}

/** English `1st`, `2nd`, `3rd`, `4th`; Spanish `1ro` and `1er` of the first alone. */
function ordinalEnding(like: string, day: number): string {
  if (/^[re][or]$/i.test(like)) return day === 1 ? like.toLowerCase() : '';
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function inCaseOf(like: string, ending: string): string {
  return like === like.toUpperCase() ? ending.toUpperCase() : ending;
}

function yearAlone(text: string, days: number): Moved | undefined {
  const year = /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(text);
  const moved = year && move({ year: Number(year[0]), month: 7, day: 1 }, days);
  return moved ? replaced(text, [{ match: year, by: `${moved.year}` }]) : undefined;
}

/** Undefined where a number would stay as it was: that part of the date was not understood. */
function replaced(
  text: string,
  changes: readonly { readonly match: RegExpExecArray; readonly by: string }[],
): Moved | undefined {
  const inOrder = [...changes].sort((a, b) => a.match.index - b.match.index);
  let result = '';
  let kept = '';
  let from = 0;
  for (const { match, by } of inOrder) {
    kept += text.slice(from, match.index);
    result += text.slice(from, match.index) + by;
    from = match.index + match[0].length;
  }
  kept += text.slice(from);
  return /\p{N}/u.test(kept) ? undefined : { text: result + text.slice(from) };
}

/** A month alone moves as its fifteenth; a date without a year as one of a leap year. */
function move({ year, month, day }: DateParts, days: number) {
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return undefined;
  const from = Date.UTC(year ?? LEAP_YEAR, month - 1, day ?? 15);
  const date = new Date(from + days * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
}

function fullYear(year: string | undefined): number | undefined {
  if (year === undefined || year.length === 4) return year === undefined ? year : Number(year);
  return Number(year) + (Number(year) < PIVOT_YEAR ? 2000 : 1900);
}

function shortYear(year: number, like: string): string {
  return like.length === 4 ? `${year}` : `${year % 100}`.padStart(2, '0');
}

function padded(value: number, like: string): string {
  return `${value}`.padStart(like.length === 2 ? 2 : 1, '0');
}

/** In capitals or with one where `like` is. */
export function spelled(word: string, like: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return like[0] === like[0]?.toUpperCase() ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word;
}
