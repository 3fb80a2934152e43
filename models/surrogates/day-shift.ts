import { APOSTROPHE } from './apostrophe.js';
import { monthName, monthNamed } from './months.js';
import { SURROGATE_LANGUAGES, type SurrogateLanguage } from './surrogate-language.js';
import { weekdayNamed } from './weekdays.js';

/**
 * Dates in notes, moved by one number of days, their weekdays with them: `03/05/2018`, `2018-05-03`, `3 de mayo de 2018`,
 * `May 3, 2018`, `3 May`, `May '18`, `05/2018`, `2018`. What is written is of a form that the date itself has no part in: days
 * and months in digits have two, days beside a month's name no zero, and such a name is whole, or short where it touches
 * digits or a mark beside them (`3-May-2018`). Days count from 1970 in UTC.
 */
const DAY_MS = 86_400_000;
const BEHIND_APOSTROPHE = new RegExp(`${APOSTROPHE}$`, 'u');
const PIVOT_YEAR = 70;
/** Of the 29th of February in a year that has none. */
const LEAP_YEAR = 2000;

const YEAR_FIRST = /(?<!\d)(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?!\d)/;
const DAY_AND_MONTH = /(?<!\d)(\d{1,2})(\s?[./-]\s?)(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)/;
const MONTH_AND_YEAR = /(?<!\d)(\d{1,2})([./-])(\d{4})(?!\d)/;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;
/** The full stop of a short name goes with it. */
const WORD = /([\p{L}\p{M}]+)(?:\.(?![\p{L}\p{N}]))?/gu;
/** Spanish marks the first of a month alone. */
const NUMBER = /(\d+)(?:(st|nd|rd|th)(?!\p{L})|(?:ro|er)\.?(?!\p{L})|\.?[ºª°])?/giu;
/** Where a month of a Spanish date stands, and no weekday of it. */
const BEHIND_DAY = /(?:(?<!\d)\d{1,2}(?:ro|er|\.?[ºª°])?|(?<!\p{L})de)[\s./-]{0,3}$/iu;
const BEFORE_YEAR = /^[\s./-]{0,3}(?:de\s{1,3})?\d{4}(?!\d)/iu;
const DIGITS_BEFORE = /\d(?:st|nd|rd|th|ro|er|\.?[ºª°])?[./-]?$/i;
/** Words of one language beside months. */
const BESIDE: ReadonlyMap<string, SurrogateLanguage> = new Map([
  ...['de', 'del', 'el'].map((word) => [word, 'es'] as const),
  ...['of', 'the'].map((word) => [word, 'en'] as const),
]);

/** How all dates of a note are read and written: told by one date alone, what is written would say which one it was. */
export interface DateReading {
  /** Of numbers that could be either. */
  readonly dayFirst: boolean;
  /** Of months' names, where no word around says it. */
  readonly language: SurrogateLanguage;
  /** Of dates that name none. */
  readonly year: number;
}

export interface DateParts {
  readonly year: number | undefined;
  /** From 1; undefined of a year alone. */
  readonly month: number | undefined;
  /** Undefined of a month alone, too. */
  readonly day: number | undefined;
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A date in a text, and what stands for its parts once it is another. */
interface ReadDate {
  readonly parts: DateParts;
  readonly changes: readonly Change[];
}

interface Change {
  readonly match: RegExpExecArray;
  readonly write: (moved: Day) => string;
}

/** The text with its date moved; undefined where it holds no date that can be read whole. */
export function shiftDays(
  text: string,
  days: number,
  reading: DateReading = { dayFirst: true, language: 'en', year: LEAP_YEAR },
): string | undefined {
  const read = readDate(text, reading);
  if (!read) return undefined;
  const moved = move(read.parts, days, reading.year);
  const weekdays = wordsOf(text).flatMap((match): Change[] => {
    const weekday = weekdayNamed(match[1] as string);
    if (!weekday || read.changes.some((change) => change.match.index === match.index)) return [];
    const name = weekday.written.at((weekday.at + days) % 7) as string;
    return [
      { match, write: () => match[0].replace(match[1] as string, (word) => spelled(name, word)) },
    ];
  });
  return replaced(text, [...read.changes, ...weekdays], moved);
}

/** True for day first, false for month first, undefined where both could be, and where the year comes first. */
export function dayFirstIn(text: string): boolean | undefined {
  const [, first, , second] = (!YEAR_FIRST.test(text) && DAY_AND_MONTH.exec(text)) || [];
  if (first === undefined || second === undefined) return undefined;
  if (Number(first) > 12) return true;
  return Number(second) > 12 ? false : undefined;
}

/** What a date names, a year of two digits as one from 1970 to 2069; undefined as of `shiftDays`. */
export function datePartsIn(
  text: string,
  reading: Omit<DateReading, 'year'>,
): DateParts | undefined {
  return readDate(text, reading)?.parts;
}

/** Whether a text is a date in any language, as `shiftDays` reads it. */
export function isDate(text: string): boolean {
  return SURROGATE_LANGUAGES.some((language) => readDate(text, { dayFirst: true, language }));
}

/** What a date names once it is moved by a number of days: of the same kind, on the day that `shiftDays` moves it to. */
export function movedParts(
  parts: DateParts,
  days: number,
  { year }: Pick<DateReading, 'year'>,
): DateParts {
  const moved = move(parts, days, year);
  return {
    year: parts.year === undefined ? undefined : moved.year,
    month: parts.month === undefined ? undefined : moved.month,
    day: parts.day === undefined ? undefined : moved.day,
  };
}

function readDate(text: string, reading: Omit<DateReading, 'year'>): ReadDate | undefined {
  return [numericDate(text, reading), namedMonth(text, reading), yearAlone(text)].find(
    (read) => read !== undefined && isPossible(read.parts) && isWhole(text, read.changes),
  );
}

function numericDate(
  text: string,
  { dayFirst, language }: Pick<DateReading, 'dayFirst' | 'language'>,
): ReadDate | undefined {
  const months = monthsIn(text);
  if (months.some((word) => !isWeekday(word, language))) return undefined;
  const iso = YEAR_FIRST.exec(text);
  if (iso) {
    const [, year, mark = '', month, day] = iso;
    const parts = { year: Number(year), month: Number(month), day: Number(day) };
    const write = (moved: Day) => [moved.year, ...[moved.month, moved.day].map(padded)].join(mark);
    return { parts, changes: [{ match: iso, write }] };
  }
  const full = DAY_AND_MONTH.exec(text);
  if (full) {
    const [all, first, mark = '', second, year] = full;
    // `5-7 mar` are days of March.
    if (months.length > 0 && year === undefined) return undefined;
    const isDayFirst = dayFirstIn(all) ?? dayFirst;
    const [day, month] = isDayFirst ? [first, second] : [second, first];
    const parts = { year: fullYear(year), month: Number(month), day: Number(day) };
    const write = (moved: Day) => {
      const written = [moved.day, moved.month].map(padded);
      if (!isDayFirst) written.reverse();
      if (year !== undefined) written.push(shortYear(moved.year, year));
      return written.join(mark);
    };
    return { parts, changes: [{ match: full, write }] };
  }
  const partial = MONTH_AND_YEAR.exec(text);
  if (!partial || months.length > 0) return undefined;
  const [, month, mark = '', year] = partial;
  const write = (moved: Day) => padded(moved.month) + mark + moved.year;
  const parts = { year: Number(year), month: Number(month), day: undefined };
  return { parts, changes: [{ match: partial, write }] };
}

function namedMonth(text: string, reading: Pick<DateReading, 'language'>): ReadDate | undefined {
  const named = monthIn(text, reading);
  if (!named) return undefined;
  const numbers = [...text.matchAll(NUMBER)];
  const year = numbers.find((number) => isYear(number, text));
  const day = numbers.find(
    (each) => each !== year && (each[1] ?? '').length <= 2 && Number(each[1]) <= 31,
  );
  // `mar-may` are two months.
  if (day === undefined && monthsIn(text).length > 1) return undefined;
  const language = languageBeside(wordsOf(text), named) ?? reading.language;
  const [all, name = ''] = named;
  const isShort = touchesDigits(text, named.index, named.index + all.length);
  const parts = {
    year: fullYear(year?.[1]),
    month: monthNamed(name) as number,
    day: day && Number(day[1]),
  };
  return {
    parts,
    changes: [
      { match: named, write: ({ month }) => spelled(monthName(month, language, isShort), name) },
      ...(year ? [{ match: year, write: (moved: Day) => shortYear(moved.year, year[0]) }] : []),
      ...(day ? [{ match: day, write: (moved: Day) => dayLike(day, moved.day) }] : []),
    ],
  };
}

/** The only one, or in Spanish the one beside which every other is a Tuesday, as of `mar 3 mar` the first is. */
function monthIn(
  text: string,
  { language }: Pick<DateReading, 'language'>,
): RegExpExecArray | undefined {
  const months = monthsIn(text);
  if (months.length === 1) return months[0];
  const named = months.filter((word) => !isWeekday(word, language) || standsAsMonth(text, word));
  return named.length === 1 ? named[0] : undefined;
}

function standsAsMonth(text: string, { 0: { length }, index }: RegExpExecArray): boolean {
  return BEHIND_DAY.test(text.slice(0, index)) || BEFORE_YEAR.test(text.slice(index + length));
}

/** `mar` is one of both, in Spanish. */
function isWeekday([, word]: RegExpExecArray, language: SurrogateLanguage): boolean {
  return weekdayNamed(word as string)?.language === language;
}

function monthsIn(text: string): RegExpExecArray[] {
  return wordsOf(text).filter(([, word]) => monthNamed(word as string) !== undefined);
}

function yearAlone(text: string): ReadDate | undefined {
  const match = YEAR.exec(text);
  if (!match || monthsIn(text).length > 0) return undefined;
  const parts = { year: Number(match[0]), month: undefined, day: undefined };
  return { parts, changes: [{ match, write: (moved) => `${moved.year}` }] };
}

function wordsOf(text: string): RegExpExecArray[] {
  return [...text.matchAll(WORD)];
}

/** By words of which no month depends. */
function languageBeside(
  words: readonly RegExpExecArray[],
  named: RegExpExecArray,
): SurrogateLanguage | undefined {
  for (const each of words) {
    const word = each[1] as string;
    const language = BESIDE.get(word.toLowerCase()) ?? weekdayNamed(word)?.language;
    if (each.index !== named.index && language !== undefined) return language;
  }
  return undefined;
}

function touchesDigits(text: string, start: number, end: number): boolean {
  return DIGITS_BEFORE.test(text.slice(0, start)) || /^[./-]?\d/.test(text.slice(end));
}

/** Of four digits, or of two behind an apostrophe. */
function isYear({ 0: written, index }: RegExpExecArray, text: string): boolean {
  const isBehind = BEHIND_APOSTROPHE.test(text.slice(0, index));
  return /^\d{4}$/.test(written) || (/^\d\d$/.test(written) && isBehind);
}

/** With the ending of an English ordinal where the day had one. */
function dayLike([, , ending]: RegExpExecArray, day: number): string {
  return `${day}${ending === undefined ? '' : inCaseOf(ending, ordinalEnding(day))}`;
}

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function inCaseOf(like: string, ending: string): string {
  return like === like.toUpperCase() ? ending.toUpperCase() : ending;
}

/** A number that would stay as it was is a part of the date that was not understood. */
function isWhole(text: string, changes: readonly Change[]): boolean {
  return !/\p{N}/u.test(withChanges(text, changes, () => ''));
}

function replaced(text: string, changes: readonly Change[], moved: Day): string {
  return withChanges(text, changes, ({ write }) => write(moved));
}

function withChanges(
  text: string,
  changes: readonly Change[],
  write: (change: Change) => string,
): string {
  let result = '';
  let from = 0;
  for (const change of [...changes].sort((a, b) => a.match.index - b.match.index)) {
    result += text.slice(from, change.match.index) + write(change);
    from = change.match.index + change.match[0].length;
  }
  return result + text.slice(from);
}

function isPossible({ month, day }: DateParts): boolean {
  const isMonth = month === undefined || (month >= 1 && month <= 12);
  return isMonth && (day === undefined || (day >= 1 && day <= 31));
}

/** A month alone moves as its fifteenth, a year as its first of July. */
function move({ year, month, day }: DateParts, days: number, otherwise: number): Day {
  const isLost = month === 2 && day === 29 && !isLeap(otherwise);
  const named = year ?? (isLost ? LEAP_YEAR : otherwise);
  const from = Date.UTC(named, (month ?? 7) - 1, day ?? (month === undefined ? 1 : 15));
  const date = new Date(from + days * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
}

function isLeap(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
}

function fullYear(year: string | undefined): number | undefined {
  if (year === undefined || year.length === 4) return year === undefined ? year : Number(year);
  return Number(year) + (Number(year) < PIVOT_YEAR ? 2000 : 1900);
}

function shortYear(year: number, like: string): string {
  return like.length === 4 ? `${year}` : padded(year % 100);
}

function padded(value: number): string {
  return `${value}`.padStart(2, '0');
}

/** In capitals or with one where `like` is. */
function spelled(word: string, like: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return like[0] === like[0]?.toUpperCase() ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word;
}
