import type { DateParts } from './day-shift.js';

const DAY_MS = 86_400_000;
/** HIPAA Safe Harbor joins all ages over 89. */
const OLDEST_YEARS = 89;

/** When the last thing happened that a note has a date of, in days before `now`; 0 where it has none that names its year. */
export function daysSinceLast(dates: readonly DateParts[], now = Date.now()): number {
  const last = lastBefore(dates, now);
  return last === undefined ? 0 : Math.floor((now - last) / DAY_MS);
}

/**
 * When the last of a note's dates was that is of no birth 90 years ago, or `now` where none is: whose birth is among them may
 * have lived until then. Like `now` in milliseconds since 1970.
 */
export function lastLived(dates: readonly DateParts[], now = Date.now()): number {
  const young = dates.filter((each) => turnsNinety(each) > now);
  return lastBefore(young, now) ?? now;
}

/** Whether somebody born on a date, or within its month or year, may be older than 89 at `last`. */
export function isOldBirth(birth: DateParts, last: number): boolean {
  return turnsNinety(birth) <= last;
}

/** The end of what a date names, but not behind `now`; undefined where all begin behind it. */
function lastBefore(dates: readonly DateParts[], now: number): number | undefined {
  let last: number | undefined;
  for (const date of dates) {
    const { year, month, day } = date;
    if (year === undefined || start(date) > now) continue;
    const end = month === undefined ? Date.UTC(year, 12, 0) : Date.UTC(year, month, 0);
    last = Math.max(last ?? -Infinity, Math.min(now, day === undefined ? end : start(date)));
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
