import { mayBeLived } from '../../../../../models/surrogates/lived-year.js';
import { type CalendarDay, isWholeMonths } from '../../../../../models/surrogates/whole-months.js';

const DAY_MS = 86_400_000;
/** Of any time of day, which has to have one (FHIR R4, dateTime). */
const ZONE = 'Z';
/** `date`, `dateTime` and `instant` of FHIR, down to a year. */
const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

const MONTH = /^(\d{4})-(\d\d)(?:-(\d\d))?/;

/**
 * A date moved by days, as precise as it was: a month moves as its fifteenth, a year as its first of July.
 * The time of day stays as the clock showed it, in one zone: beside a moved date that of summer time would say by how much
 * it moved. Undefined where it is no date of FHIR, or of nobody's life.
 */
export function movedDate(date: string, days: number): string | undefined {
  const [whole, year, month, day, clock] = DATE.exec(date) ?? [];
  if (whole === undefined || !mayBeLived(Number(year))) return undefined;
  const at = Date.UTC(Number(year), month ? Number(month) - 1 : 6, middle(month, day));
  const moved = new Date(at + days * DAY_MS);
  if (Number.isNaN(moved.getTime())) return undefined;
  const iso = moved.toISOString().slice(0, 10);
  if (clock !== undefined) return iso + clock + ZONE;
  if (day !== undefined) return iso;
  return iso.slice(0, month === undefined ? 4 : 7);
}

/** Whether a period of FHIR is whole months of the calendar (`isWholeMonths`). */
export function isOfWholeMonths(start: unknown, end: unknown): boolean {
  const [from, to] = [start, end].map(dayOf);
  return from !== undefined && to !== undefined && isWholeMonths(from, to);
}

function dayOf(date: unknown): CalendarDay | undefined {
  const [, year, month, day] = (typeof date === 'string' && MONTH.exec(date)) || [];
  return month === undefined
    ? undefined
    : { year: Number(year), month: Number(month), day: day === undefined ? day : Number(day) };
}

function middle(month: string | undefined, day: string | undefined): number {
  if (day !== undefined) return Number(day);
  return month === undefined ? 1 : 15;
}
