/** HIPAA Safe Harbor joins all ages over 89. */
const OLDEST_YEARS = 89;
const YEARS: ReadonlySet<string> = new Set(['a', 'y', 'yr', 'yrs', 'year', 'years', 'año', 'años']);
/** Years each of the units of UCUM that are shorter, and of their names. */
const SHORTER_THAN_YEARS: Readonly<Record<string, number>> = {
  ...{ mo: 1 / 12, month: 1 / 12, months: 1 / 12, wk: 1 / 52, week: 1 / 52, weeks: 1 / 52 },
  ...{ d: 1 / 365, day: 1 / 365, days: 1 / 365, h: 1 / 8760, hour: 1 / 8760, hours: 1 / 8760 },
  min: 1 / 525_600,
};

/** Whether a date of birth, which begins with its year, makes someone older than 89 today. */
export function isOldBirth(date: string): boolean {
  const year = /^\d{4}/.exec(date)?.[0];
  return year !== undefined && new Date().getUTCFullYear() - Number(year) > OLDEST_YEARS;
}

/** Whether an age is over 89 years; one of an unknown unit, or of none, is taken for years. */
export function isOldAge(number: number, unit = ''): boolean {
  return number * (SHORTER_THAN_YEARS[unit.toLowerCase()] ?? 1) > OLDEST_YEARS;
}

/** Whether a quantity of anything says that it is over 89 years: hardly anything but an age is. */
export function isOldQuantity(number: number, unit: string): boolean {
  return YEARS.has(unit.toLowerCase()) && number > OLDEST_YEARS;
}
