import { type DateReading, dayFirstIn } from './day-shift.js';
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
const WORD = /\p{L}+/gu;

/**
 * By the dates that leave no doubt. Where none does days come first where `isDayFirst` says so, and months are in the
 * language of `locale`, as they are where the dates name months of both.
 */
export function dateReading(dates: readonly string[], locale: SurrogateLocale): DateReading {
  const votes = dates.reduce((sum, date) => sum + (VOTES.get(dayFirstIn(date)) ?? 0), 0);
  const words = dates.flatMap((date) => date.match(WORD) ?? []);
  const named = SURROGATE_LANGUAGES.filter((each) =>
    words.some((word) =>
      SURROGATE_LANGUAGES.every((other) => isMonthIn(other, word) === (other === each)),
    ),
  );
  return {
    dayFirst: votes === 0 ? isDayFirst(locale) : votes > 0,
    language: named.length === 1 ? (named[0] as SurrogateLanguage) : languageOfLocale(locale),
  };
}
