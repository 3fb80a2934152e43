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
 * Whether somebody born on a date, or within its month or year, may be older than 89 at the last of a note's `dates`, or today
 * where even that is of a birth so long ago.
 */
export function isOldBirth(
  birth: DateParts,
  dates: readonly DateParts[],
  now = Date.now(),
): boolean {
  const last = lastBefore(
    dates.filter((each) => turnsNinety(each) > now),
    now,
  );
  return turnsNinety(birth) <= (last ?? now);
}

/** The end of what a date names, but not behind `now`; undefined where all begin behind it. */
function lastBefore(dates: readonly DateParts[], now: number): number | undefined {
  const ends = dates.flatMap((date) => {
    const { year, month, day } = date;
    if (year === undefined || start(date) > now) return [];
    const end = month === undefined ? Date.UTC(year, 12, 0) : Date.UTC(year, month, 0);
    return Math.min(now, day === undefined ? end : start(date));
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function turnsNinety(date: DateParts): number {
  return start(date, OLDEST_YEARS + 1);
}

/** The first day that it may be, so many years on. */
function start({ year = Number.NaN, month = 1, day = 1 }: DateParts, later = 0): number {
  return Date.UTC(year + later, month - 1, day);
}
