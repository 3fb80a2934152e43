/** Days are counted from 1970-01-01, so that no time zone can shift them. */
const DAY_MS = 86_400_000;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** Completed years between two days. */
export function yearsBetween(birth: number, day: number): number {
  const from = new Date(birth * DAY_MS);
  const to = new Date(day * DAY_MS);
  const before =
    to.getUTCMonth() * 32 + to.getUTCDate() < from.getUTCMonth() * 32 + from.getUTCDate();
  return to.getUTCFullYear() - from.getUTCFullYear() - (before ? 1 : 0);
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly name: string;
  readonly weekday: string;
}

const two = (value: number) => String(value).padStart(2, '0');
const short = (year: number) => two(year % 100);
const abbreviation = (name: string) => name.slice(0, 3);

export function ordinal(date: number): string {
  const teens = date > 10 && date < 14;
  return `${date}${(!teens && ['', 'st', 'nd', 'rd'][date % 10]) || 'th'}`;
}

const STYLES = {
  iso: (d: Parts) => `${d.year}-${two(d.month)}-${two(d.date)}`,
  'us slashes': (d: Parts) => `${two(d.month)}/${two(d.date)}/${d.year}`,
  'us short': (d: Parts) => `${d.month}/${d.date}/${short(d.year)}`,
  'us day': (d: Parts) => `${d.month}/${d.date}`,
  'us words': (d: Parts) => `${d.name} ${d.date}, ${d.year}`,
  'us abbreviated': (d: Parts) => `${abbreviation(d.name)} ${d.date}, ${d.year}`,
  'us day abbreviated': (d: Parts) => `${abbreviation(d.name)} ${d.date}`,
  'us day words': (d: Parts) => `${d.name} ${ordinal(d.date)}`,
  'us dashes': (d: Parts) => `${two(d.month)}-${two(d.date)}-${d.year}`,
  'uk slashes': (d: Parts) => `${two(d.date)}/${two(d.month)}/${d.year}`,
  'uk short': (d: Parts) => `${d.date}/${d.month}/${short(d.year)}`,
  'uk day': (d: Parts) => `${d.date}/${d.month}`,
  'uk words': (d: Parts) => `${d.date} ${d.name} ${d.year}`,
  'uk ordinal': (d: Parts) => `${ordinal(d.date)} ${d.name} ${d.year}`,
  'uk ordinal of': (d: Parts) => `the ${ordinal(d.date)} of ${d.name}, ${d.year}`,
  'uk day dashes': (d: Parts) => `${two(d.date)}-${abbreviation(d.name)}`,
  'uk day words': (d: Parts) => `${ordinal(d.date)} ${d.name}`,
  'uk dots': (d: Parts) => `${two(d.date)}.${two(d.month)}.${short(d.year)}`,
  'uk dashes': (d: Parts) => `${two(d.date)}-${abbreviation(d.name)}-${d.year}`,
  military: (d: Parts) => `${two(d.date)}${abbreviation(d.name).toUpperCase()}${d.year}`,
  'month year': (d: Parts) => `${d.name} ${d.year}`,
  'month slash': (d: Parts) => `${two(d.month)}/${d.year}`,
  month: (d: Parts) => d.name,
  year: (d: Parts) => String(d.year),
  weekday: (d: Parts) => d.weekday,
} satisfies Record<string, (parts: Parts) => string>;

export type DateStyle = keyof typeof STYLES;

export function formatDay(day: number, style: DateStyle): string {
  const date = new Date(day * DAY_MS);
  return STYLES[style]({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    date: date.getUTCDate(),
    name: MONTHS[date.getUTCMonth()] as string,
    weekday: WEEKDAYS[date.getUTCDay()] as string,
  });
}
