import { deu, eng, fra, spa } from 'stopword';

const LISTS = { de: deu, en: eng, es: spa, fr: fra };

export type StopWordLanguage = keyof typeof LISTS;

/** Function words of the given languages, in lower case. */
export function stopWords(languages: readonly StopWordLanguage[]): ReadonlySet<string> {
  return new Set(languages.flatMap((language) => LISTS[language]));
}
