import { mayBeLived } from '../../../../../models/surrogates/lived-year.js';
import { isWholeMonths } from '../../../../../models/surrogates/whole-months.js';

const DAY_MS = 86_400_000;
/** A timestamp of HL7 version 3, down to a year: `YYYYMMDDhhmmss.ssss+ZZzz`. */
const TIME = /^(\d{4})(\d\d)?(\d\d)?((?:\d\d){0,3}(?:\.\d{1,6})?)(?:[+-]\d{4})?$/;

/**
 * A time moved by days, as precise as it was: a month moves as its fifteenth, a year as its first of July. The time of day stays
 * as the clock showed it, without its zone: that of summer time would say by how much the date moved. Undefined where it is none, or of nobody's life.
 */
export function movedTime(time: string, days: number): string | undefined {
  const [whole, year, month, day, clock = ''] = TIME.exec(time) ?? [];
  if (whole === undefined || (day === undefined && clock !== '')) return undefined;
  if (!mayBeLived(Number(year))) return undefined;
  const middle = month === undefined ? 1 : Number(day ?? 15);
  const at = Date.UTC(Number(year), month === undefined ? 6 : Number(month) - 1, middle);
  const moved = new Date(at + days * DAY_MS);
  if (Number.isNaN(moved.getTime())) return undefined;
  const digits = moved.toISOString().slice(0, 10).replaceAll('-', '');
  if (day !== undefined) return digits + clock;
  return digits.slice(0, month === undefined ? 4 : 6);
}

/** Whether an interval is whole months of the calendar (`isWholeMonths`). */
export function isOfWholeMonths(low: string, high: string): boolean {
  const [from, to] = [low, high].map((time) => {
    const [, year, month, day] = TIME.exec(time) ?? [];
    return month === undefined
      ? undefined
      : { year: Number(year), month: Number(month), day: day === undefined ? day : Number(day) };
  });
  return from !== undefined && to !== undefined && isWholeMonths(from, to);
}
