import type { Draws } from './draws.js';

/** Of dates, from the first to the last that there is. */
const RANGE_DAYS = 728;
/** Of dates that lie back so far, as many to either side. */
const MOST_DAYS_ON = RANGE_DAYS / 2;
/** Of ages, to either side, in years. */
const MOST_YEARS = 3;

/** By how much the dates and ages of a text move, never by nothing. */
export interface SurrogateShift {
  readonly days: number;
  readonly years: number;
}

/**
 * One of 728 numbers of days, all equally likely, by which what happened `daysAgo` before today doesn't come to lie ahead of it:
 * nobody was treated in the future, so that it would bound how far all dates moved. What lies a year back moves up to 364
 * days to either side, and what may be of today to the past alone.
 */
export function drawnShift(draws: Draws, daysAgo = 0): SurrogateShift {
  return { days: drawnDays(draws, daysAgo), years: signed(MOST_YEARS, draws) };
}

function drawnDays(draws: Draws, daysAgo = 0): number {
  const days = Math.min(daysAgo, MOST_DAYS_ON) - draws.integer(RANGE_DAYS);
  return days > 0 ? days : days - 1;
}

function signed(most: number, draws: Draws): number {
  return (1 + draws.integer(most)) * (draws.integer(2) === 0 ? 1 : -1);
}
