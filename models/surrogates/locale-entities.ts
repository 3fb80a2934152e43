import { TacetError } from '../../proto/errors.js';
import { baseOf } from './common-forms.js';
import { digits, isPlain } from './entity-form.js';
import type { SurrogateKind } from './surrogate-kind.js';

/** What a locale's public lists hold: words for the lists that forms name, and forms by kind of entity. */
export interface LocaleEntities {
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly forms: Readonly<Partial<Record<SurrogateKind, readonly string[]>>>;
}

type Words = readonly string[] | Readonly<Record<string, readonly string[] | undefined>> | null;

const NAMES = ['{given} {family}', '{given} {family} {family}', '{family}', '{given}'] as const;
const DATES = [
  '{01-28}/{01-12}/{1930-2029}',
  '{01-28}-{01-12}-{1930-2029}',
  '{1930-2029}',
] as const;

/** All of faker's locales of a language (BCP 47): `en`, `en_GB`, `en_NG` of `en`. */
export async function localesOf(language: string): Promise<string[]> {
  const { allLocales } = await import('@faker-js/faker');
  const base = baseOf(language);
  return Object.keys(allLocales).filter((name) => name.split('_')[0] === base);
}

/** Of a locale of faker. Throws `usage` where there is none of the name. */
export async function localeEntities(locale: string): Promise<LocaleEntities> {
  // Megabytes, and hardly ever asked for.
  const { allLocales } = await import('@faker-js/faker');
  const locales: Readonly<Record<string, Partial<Record<string, Record<string, unknown>>>>> =
    allLocales;
  if (!Object.hasOwn(locales, locale)) {
    const known = Object.keys(locales).filter((name) => name !== 'base');
    throw new TacetError('usage', `there is no locale ${locale}; expected ${known.join(', ')}`);
  }
  const { person = {}, location = {}, phone_number = {} } = locales[locale] ?? {};
  const cities = wordsOf(location.city_name);
  const formats = wordsOf((phone_number.format as Record<string, unknown> | undefined)?.human);
  const family = wordsOf(person.last_name).filter(isName);
  return {
    lists: {
      given: wordsOf(person.first_name).filter(isName),
      family,
    },
    forms: {
      ...(family.length > 0 && { name: NAMES }),
      date: DATES,
      place: [...cities, ...wordsOf(location.state)].filter(isPlain),
      country: wordsOf(location.country).filter(isPlain),
      street: wordsOf(location.street_name)
        .filter(isPlain)
        .map((street) => `${street} {1-199}`),
      phone: formats.map((format) => format.replaceAll(/[#!]+/g, ({ length }) => digits(length))),
      profession: wordsOf(person.job_title).filter(isPlain),
      age: ['{1-99}'],
    },
  };
}

function wordsOf(words: unknown): string[] {
  if (!words) return [];
  if (Array.isArray(words)) return words.filter((word) => typeof word === 'string');
  return [...new Set(Object.values(words as NonNullable<Words>).flatMap(wordsOf))];
}

function isName(word: string): boolean {
  return /^[\p{L}\p{M}'’ -]+$/u.test(word);
}
