import type { Chance, Locale } from './chance.js';
import { NAMES } from './lexicon.js';
import type { Sex } from './sex.js';

export interface Person {
  readonly sex: Sex;
  readonly first: string;
  /** The initial of the middle name. */
  readonly middle: string;
  readonly last: string;
}

const COMMON_WORD_SHARE = 0.12;

/** A name from one of the populations; `last` where the family is known. */
export function drawPerson(
  chance: Chance,
  locales: readonly Locale[],
  sex: Sex,
  last?: string,
): Person {
  const names = chance.faker(chance.pick(locales)).person;
  const { first, surname } = NAMES.commonWords;
  return {
    sex,
    first: chance.happens(COMMON_WORD_SHARE) ? chance.pick(first[sex]) : names.firstName(sex),
    middle: chance.fill('?'),
    last: last ?? (chance.happens(COMMON_WORD_SHARE) ? chance.pick(surname) : names.lastName()),
  };
}

const STYLES = {
  full: (p: Person) => `${p.first} ${p.last}`,
  middle: (p: Person) => `${p.first} ${p.middle}. ${p.last}`,
  'last first': (p: Person) => `${p.last}, ${p.first}`,
  'last first middle': (p: Person) => `${p.last}, ${p.first} ${p.middle}`,
  'LAST first': (p: Person) => `${p.last.toUpperCase()}, ${p.first}`,
  'LAST FIRST': (p: Person) => `${p.last}, ${p.first}`.toUpperCase(),
  FULL: (p: Person) => `${p.first} ${p.last}`.toUpperCase(),
  'first LAST': (p: Person) => `${p.first} ${p.last.toUpperCase()}`,
  first: (p: Person) => p.first,
  last: (p: Person) => p.last,
  LAST: (p: Person) => p.last.toUpperCase(),
  'F. last': (p: Person) => `${p.first.charAt(0)}. ${p.last}`,
  'F last': (p: Person) => `${p.first.charAt(0)} ${p.last}`,
  'last F': (p: Person) => `${p.last} ${p.first.charAt(0)}`,
  initials: (p: Person) => `${p.first.charAt(0)}${p.middle}${p.last.charAt(0)}`,
} satisfies Record<string, (person: Person) => string>;

export type NameStyle = keyof typeof STYLES;

export function formatName(person: Person, style: NameStyle): string {
  return STYLES[style](person);
}

/** Letters without their accents, for record systems that know ASCII alone. */
export function withoutAccents(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øØłŁđĐßæÆœ]/g, (letter) => PLAIN[letter] ?? letter);
}

const PLAIN: Record<string, string> = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
};
