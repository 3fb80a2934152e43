import { ENGLISH_MONTHS, type MonthNames, SPANISH_MONTHS } from '../recognisers/month-names.js';

const YEAR = '(?:(?:19|20)\\d\\d|2100)';
const SHORT_YEAR = `(?:${YEAR}|\\d\\d)`;
const [MONTH, DAY] = ['(?:0[1-9]|1[0-2])', '(?:0[1-9]|[12]\\d|3[01])'];
const [SHORT_MONTH, SHORT_DAY] = ['(?:0?[1-9]|1[0-2])', '(?:0?[1-9]|[12]\\d|3[01])'];
const NAME = `(?:${[ENGLISH_MONTHS, SPANISH_MONTHS].flatMap(namesOf).join('|')})\\.?`;
const [TIME, MARK] = ['(?:T.*)?', '[-./]?'];

const DAYS: readonly RegExp[] = [
  `${YEAR}([-./])${SHORT_MONTH}\\1${SHORT_DAY}${TIME}`,
  ...[`${SHORT_DAY}([-/])${SHORT_MONTH}\\1`, `${SHORT_MONTH}([-/])${SHORT_DAY}\\1`].map(
    (form) => form + SHORT_YEAR,
  ),
  ...[`${SHORT_DAY}\\.${SHORT_MONTH}\\.`, `${SHORT_MONTH}\\.${SHORT_DAY}\\.`].map(
    (form) => form + YEAR,
  ),
  `${SHORT_DAY}${MARK}${NAME}${MARK}${SHORT_YEAR}`,
  `${NAME}${MARK}${SHORT_DAY}[-./,]?${YEAR}`,
  `${YEAR}${MARK}${NAME}${MARK}${SHORT_DAY}`,
  `${YEAR}${MONTH}${DAY}(?:T.*|\\d{4,6}(?:\\.\\d+)?(?:[+-]\\d{4}|Z))`,
].map(whole);

/** Of HL7's times and of days alone; other numbers may look the same. */
const DAYS_IN_DIGITS: readonly RegExp[] = [
  `${YEAR}${MONTH}${DAY}(?:\\d{4}|\\d{6})?(?:\\.\\d+)?(?:[+-]\\d{4}|Z)?`,
  `${DAY}${MONTH}${YEAR}`,
  `${MONTH}${DAY}${YEAR}`,
].map(whole);

/** Whether a value is a day from 1900 to 2100 and nothing else, its parts set apart by marks or a month's name. */
export function isWholeDay(value: string): boolean {
  return DAYS.some((form) => form.test(value));
}

/** The same of digits alone, such as `20200503`, which a code system may have for a code. */
export function isDayInDigits(value: string): boolean {
  return DAYS_IN_DIGITS.some((form) => form.test(value));
}

function namesOf({ whole, short }: MonthNames): readonly string[] {
  return [...whole, ...short];
}

function whole(form: string): RegExp {
  return new RegExp(`^${form}$`, 'i');
}
