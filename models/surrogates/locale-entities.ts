import { TacetError } from '../../proto/errors.js';
import { type CommonForms, hasFormsOf } from './common-forms.js';
import { digits, isPlain } from './entity-form.js';
import { baseOf } from './surrogate-language.js';

type Words = readonly string[] | Readonly<Record<string, readonly string[] | undefined>> | null;
type Section = Partial<Record<string, unknown>>;

const NAMES = ['{given} {family}', '{given} {family} {family}', '{family}', '{given}'] as const;
const DATES = [
  '{01-28}/{01-12}/{1930-2029}',
  '{01-28}-{01-12}-{1930-2029}',
  '{1930-2029}',
] as const;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All of faker's locales of a language (BCP 47): `en`, `en_GB`, `en_NG` of `en`. */
export async function localesOf(language: string): Promise<string[]> {
  const { allLocales } = await import('@faker-js/faker');
  const base = baseOf(language);
  return Object.keys(allLocales).filter((name) => name.split('_')[0] === base);
}

/**
 * Sees that there is something public in each language (BCP 47): common forms of its own, or a locale. Throws `usage`, which
 * names the languages that there are.
 */
export async function requireLanguages(languages: readonly string[]): Promise<void> {
  for (const language of languages) {
    if (hasFormsOf(language) || (await localesOf(language)).length > 0) continue;
    const { allLocales } = await import('@faker-js/faker');
    const known = new Set(Object.keys(allLocales).map((name) => name.split('_')[0]));
    known.delete('base');
    throw new TacetError(
      'usage',
      `there are no names and forms of the language ${language}; expected ${[...known].join(', ')}, or a region of one ` +
        'of these, such as es-MX',
    );
  }
}

/**
 * What a locale's public lists hold: words for lists, among them those that common forms name (`city`,
 * `region`, `given`, `family`), and forms. Throws `usage` where faker has no locale of the name.
 */
export async function localeEntities(locale: string): Promise<CommonForms> {
  // Megabytes, and hardly ever asked for.
  const { allLocales } = await import('@faker-js/faker');
  const locales: Readonly<Record<string, Partial<Record<string, Section>>>> = allLocales;
  if (!Object.hasOwn(locales, locale)) {
    const known = Object.keys(locales).filter((name) => name !== 'base');
    throw new TacetError('usage', `there is no locale ${locale}; expected ${known.join(', ')}`);
  }
  const { person = {}, location = {}, phone_number = {} } = locales[locale] ?? {};
  const lists = {
    given: wordsOf(person.first_name).filter(isName),
    family: wordsOf(person.last_name).filter(isName),
    city: wordsOf(location.city_name).filter(isPlain),
    region: wordsOf(location.state).filter(isPlain),
    country: wordsOf(location.country).filter(isPlain),
    street: wordsOf(location.street_name).filter(isPlain),
    profession: wordsOf(person.job_title).filter(isPlain),
    login: loginsOf([...wordsOf(person.last_name), ...wordsOf(person.first_name)]),
  };
  const has = (list: keyof typeof lists) => lists[list].length > 0;
  const { human } = (phone_number.format ?? {}) as Section;
  const named = Object.fromEntries(Object.entries(lists).filter(([, words]) => words.length > 0));
  return {
    lists: { ...named, letter: LETTERS },
    forms: {
      ...(has('family') && has('given') && { name: NAMES }),
      date: DATES,
      place: [
        ...(has('city') ? [['{city}', 8] as const] : []),
        ...(has('region') ? ['{region}'] : []),
        ...(has('city') && has('region') ? ['{city}, {region}'] : []),
      ],
      ...(has('country') && { country: ['{country}'] }),
      ...(has('street') && { street: ['{street} {1-199}', '{1-199} {street}'] }),
      phone: shapesOf(wordsOf(human)),
      zip: shapesOf(wordsOf(location.postcode)),
      ...(has('profession') && { profession: [['{profession}', 4] as const] }),
      age: ['{1-99}'],
    },
  };
}

/** faker's formats, each shape once: all digits by digits, and in postal codes letters by letters. */
function shapesOf(formats: readonly string[]): string[] {
  const shapes = formats
    .filter((format) => /^[A-Zx\d#?! .()/+-]+$/.test(format))
    .map((format) =>
      format
        .replaceAll(/[A-Z?]/g, '{letter}')
        .replaceAll(/[#!\d]+/g, ({ length }) => digits(length)),
    );
  return [...new Set(shapes)];
}

/** Names as they stand in addresses. */
function loginsOf(names: readonly string[]): string[] {
  const plain = names.map((name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase());
  return [...new Set(plain.filter((name) => /^[a-z]+$/.test(name)))];
}

function wordsOf(words: unknown): string[] {
  if (!words) return [];
  if (Array.isArray(words)) return words.filter((word) => typeof word === 'string');
  return [...new Set(Object.values(words as NonNullable<Words>).flatMap(wordsOf))];
}

function isName(word: string): boolean {
  return /^[\p{L}\p{M}'’ -]+$/u.test(word);
}
