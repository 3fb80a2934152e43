import { type DateReading, datePartsIn, dayFirstIn } from './day-shift.js';
import { mayBeLived } from './lived-year.js';
import { isMonthIn } from './months.js';
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
 * language of `locale`, as they are where the dates name months of both. Dates without a year are of the commonest of the note.
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
  const years = dates.flatMap((date) => datePartsIn(date, dayFirst)?.year ?? []);
  return {
    dayFirst,
    year: commonest(years.filter(mayBeLived)) ?? ANY_YEAR,
    language: named.length === 1 ? (named[0] as SurrogateLanguage) : languageOfLocale(locale),
  };
}

/** The first of several. */
function commonest(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((number) => counts.get(number) === most);
}
