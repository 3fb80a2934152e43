import { type DateParts, type DateReading, datePartsIn, dayFirstIn } from './day-shift.js';
import { mayBeLived } from './lived-year.js';
import { isMonthIn } from './months.js';
import { lastBegun } from './note-days.js';
import {
  isDayFirst,
  languageOfLocale,
  SURROGATE_LANGUAGES,
  type SurrogateLanguage,
  type SurrogateLocale,
} from './surrogate-language.js';

/** Of one date on whether days come first. */
const VOTES: ReadonlyMap<boolean | undefined, number> = new Map([
  [true, 1],
  [false, -1],
]);
/** Of a note that names none; one that has a 29 February. */
const ANY_YEAR = 2000;
const WORD = /\p{L}+/gu;

/**
 * By the dates that leave no doubt. Where none does days come first where `isDayFirst` says so, and months are in the
 * language of `locale`, as they are where the dates name months of both. Dates without a year are of that of the
 * last date that has begun.
 */
export function dateReading(dates: readonly string[], locale: SurrogateLocale): DateReading {
  const votes = dates.reduce((sum, date) => sum + (VOTES.get(dayFirstIn(date)) ?? 0), 0);
  const words = dates.flatMap((date) => date.match(WORD) ?? []);
  const named = SURROGATE_LANGUAGES.filter((each) =>
    words.some((word) =>
      SURROGATE_LANGUAGES.every((other) => isMonthIn(other, word) === (other === each)),
    ),
  );
  const dayFirst = votes === 0 ? isDayFirst(locale) : votes > 0;
  const language = named.length === 1 ? (named[0] as SurrogateLanguage) : languageOfLocale(locale);
  const lived = dates
    .flatMap((date) => datePartsIn(date, { dayFirst, language }) ?? [])
    .filter(({ year }) => year !== undefined && mayBeLived(year));
  return { dayFirst, year: lastYear(lived) ?? ANY_YEAR, language };
}

/** Where none has begun the first that is named. */
function lastYear(dates: readonly DateParts[]): number | undefined {
  const last = lastBegun(dates);
  return last === undefined ? dates[0]?.year : new Date(last).getUTCFullYear();
}
