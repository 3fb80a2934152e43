import type { DateParts } from './day-shift.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of clocks before UTC and behind it: dates of notes are local ones, of a place that nothing names. */
const MOST_AHEAD_MS = 14 * HOUR_MS;
const MOST_BEHIND_MS = 12 * HOUR_MS;
/** HIPAA Safe Harbor joins all ages over 89. */
const OLDEST_YEARS = 89;

/**
 * When the last thing happened that a note has a date of, in whole days before `now`, as few as they are anywhere; 0 where it has
 * none that names its year. `now` is in milliseconds since 1970.
 */
export function daysSinceLast(dates: readonly DateParts[], now = Date.now()): number {
  const last = lastBegun(dates, now);
  return last === undefined ? 0 : Math.max(0, Math.floor((now - MOST_BEHIND_MS - last) / DAY_MS));
}

/**
 * When the last of a note's dates was that is of no birth 90 years ago, or today where none is: whose birth is among them may
 * have lived until then. Like `now` in milliseconds since 1970.
 */
export function lastLived(dates: readonly DateParts[], now = Date.now()): number {
  const latest = now + MOST_AHEAD_MS;
  const young = dates.filter((each) => turnsNinety(each) > latest);
  return lastBegun(young, now) ?? latest;
}

/** Whether somebody born on a date, or within its month or year, may be older than 89 at `last`. */
export function isOldBirth(birth: DateParts, last: number): boolean {
  return turnsNinety(birth) <= last;
}

/**
 * The end of the last date that has begun somewhere at `now`, but not behind it; undefined where none has. In milliseconds since
 * 1970, as `now` is.
 */
export function lastBegun(dates: readonly DateParts[], now = Date.now()): number | undefined {
  const latest = now + MOST_AHEAD_MS;
  let last: number | undefined;
  for (const date of dates) {
    const { year, month, day } = date;
    if (year === undefined || start(date) > latest) continue;
    const end = month === undefined ? Date.UTC(year, 12, 0) : Date.UTC(year, month, 0);
    last = Math.max(last ?? -Infinity, Math.min(latest, day === undefined ? end : start(date)));
  }
  return last;
}

function turnsNinety(date: DateParts): number {
  return start(date, OLDEST_YEARS + 1);
}

/** The first day that it may be, so many years on. */
function start({ year = Number.NaN, month = 1, day = 1 }: DateParts, later = 0): number {
  return Date.UTC(year + later, month - 1, day);
}
