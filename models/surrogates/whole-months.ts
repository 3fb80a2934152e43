export interface CalendarDay {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** Undefined of a month alone. */
  readonly day: number | undefined;
}

/**
 * Whether a period is whole months of the calendar, such as a year of insurance: moved, its ends would say by how much. Its
 * end may be the last day of a month or the first behind it, and either may be a month alone.
 */
export function isWholeMonths(from: CalendarDay, to: CalendarDay): boolean {
  if ((from.day ?? 1) !== 1) return false;
  if (to.day === undefined) return true;
  if (to.day === 1) return to.year > from.year || (to.year === from.year && to.month > from.month);
  return to.day === new Date(Date.UTC(to.year, to.month, 0)).getUTCDate();
}
