import type { Draws } from './draws.js';

/** Of dates, to either side, in days. */
const MOST_DAYS = 364;
/** Of ages, to either side, in years. */
const MOST_YEARS = 3;

/** By how much the dates and ages of a text move, never by nothing. */
export interface SurrogateShift {
  readonly days: number;
  readonly years: number;
}

/** Every shift that there is equally likely. */
export function drawnShift(draws: Draws): SurrogateShift {
  return { days: signed(MOST_DAYS, draws), years: signed(MOST_YEARS, draws) };
}

function signed(most: number, draws: Draws): number {
  return (1 + draws.integer(most)) * (draws.integer(2) === 0 ? 1 : -1);
}
