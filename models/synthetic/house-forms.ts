import { type DateStyle, ordinal } from './calendar.js';
import type { Locale } from './chance.js';
import type { Institution } from './institution.js';
import { LEXICON } from './lexicon.js';
import type { NameStyle } from './person.js';

type Weighed = readonly [form: string, weight: number];

/**
 * How an invented hospital writes PHI, as it would state it for an inventory of surrogates: by type, forms with slots
 * and how likely each is (`models/surrogates/entity-form.ts`), and lists of words. All of it follows from its habits,
 * nothing from a note.
 */
export interface HouseForms {
  readonly forms: Readonly<Record<string, readonly Weighed[]>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The populations that its names come from. */
  readonly locales: readonly Locale[];
}

const DAY = '{1-28}';
const PADDED_DAY = '{01-28}';
const PADDED_MONTH = '{01-12}';
const YEAR = '{1930-2029}';
const MONTH = '{month-en}';
const SHORT_MONTH = '{house-month}';
const ORDINAL = '{house-ordinal}';

const DATES: Readonly<Record<DateStyle, string>> = {
  iso: `${YEAR}-${PADDED_MONTH}-${PADDED_DAY}`,
  'us slashes': `${PADDED_MONTH}/${PADDED_DAY}/${YEAR}`,
  'us short': `{1-12}/${DAY}/{#2}`,
  'us day': `{1-12}/${DAY}`,
  'us words': `${MONTH} ${DAY}, ${YEAR}`,
  'us abbreviated': `${SHORT_MONTH} ${DAY}, ${YEAR}`,
  'us day abbreviated': `${SHORT_MONTH} ${DAY}`,
  'us day words': `${MONTH} ${ORDINAL}`,
  'us dashes': `${PADDED_MONTH}-${PADDED_DAY}-${YEAR}`,
  'uk slashes': `${PADDED_DAY}/${PADDED_MONTH}/${YEAR}`,
  'uk short': `${DAY}/{1-12}/{#2}`,
  'uk day': `${DAY}/{1-12}`,
  'uk words': `${DAY} ${MONTH} ${YEAR}`,
  'uk ordinal': `${ORDINAL} ${MONTH} ${YEAR}`,
  'uk ordinal of': `the ${ORDINAL} of ${MONTH}, ${YEAR}`,
  'uk day dashes': `${PADDED_DAY}-${SHORT_MONTH}`,
  'uk day words': `${ORDINAL} ${MONTH}`,
  'uk dots': `${PADDED_DAY}.${PADDED_MONTH}.{#2}`,
  'uk dashes': `${PADDED_DAY}-${SHORT_MONTH}-${YEAR}`,
  military: `${PADDED_DAY}{house-month:upper}${YEAR}`,
  'month year': `${MONTH} ${YEAR}`,
  'month slash': `${PADDED_MONTH}/${YEAR}`,
  month: MONTH,
  year: YEAR,
  weekday: '{weekday-en}',
};

const NAMES: Readonly<Record<NameStyle, string>> = {
  full: '{given} {family}',
  middle: '{given} {letter}. {family}',
  'last first': '{family}, {given}',
  'last first middle': '{family}, {given} {letter}',
  'LAST first': '{family:upper}, {given}',
  'LAST FIRST': '{family:upper}, {given:upper}',
  FULL: '{given:upper} {family:upper}',
  'first LAST': '{given} {family:upper}',
  first: '{given}',
  last: '{family}',
  LAST: '{family:upper}',
  'F. last': '{letter}. {family}',
  'F last': '{letter} {family}',
  'last F': '{family} {letter}',
  initials: '{letter}{letter}{letter}',
};

/** What all of them write now and then. */
const HISTORY: readonly DateStyle[] = ['month year', 'month slash', 'year', 'month', 'weekday'];
const NURSES: readonly NameStyle[] = ['full', 'F. last', 'first', 'F last'];
const SHORT_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const ORDINALS = Array.from({ length: 28 }, (_, i) => ordinal(i + 1));

export function houseForms(house: Institution): HouseForms {
  const { identifiers, headerDate, dates, shortDates, doctors, signature } = house;
  const numbers = alike(3, identifiers.phones.map(digitsOf));
  // Where faker knows the towns, its list stands for them.
  const towns = house.towns ? '{house-town}' : '{city}';
  const ownName = (styles: Institution['doctors']) => styles.map(({ name }) => NAMES[name]);
  return {
    forms: {
      DATE: [
        ...alike(3, [DATES[headerDate]]),
        ...alike(2, datesOf(dates)),
        ...alike(1, datesOf(shortDates)),
        ...alike(1, datesOf(HISTORY)),
      ],
      PATIENT: [
        ...alike(2, [NAMES[house.headerName]]),
        ...alike(3, namesOf(house.mentions)),
        ...alike(1, namesOf(['first', 'full'])),
        ...alike(0.2, namesOf(['FULL', 'initials'])),
      ],
      DOCTOR: [
        ...alike(2, ownName(signature)),
        ...alike(3, ownName(doctors)),
        ...alike(1, namesOf(NURSES)),
        ...alike(0.4, [NAMES.initials, '{letter:lower}{letter:lower}{letter:lower}']),
      ],
      PHONE: [...numbers, ...alike(1, [digitsOf(identifiers.pager)])],
      FAX: numbers,
      MEDICALRECORD: alike(1, [digitsOf(identifiers.record)]),
      IDNUM: alike(1, [identifiers.account, identifiers.accession].map(digitsOf)),
      ZIP: alike(1, [digitsOf(identifiers.postcode)]),
      HOSPITAL: alike(1, ['{house-name}', `${towns} {house-hospital}`]),
      CITY: [...alike(3, [towns]), ...alike(1, [house.city])],
    },
    lists: {
      'house-month': SHORT_MONTHS,
      'house-ordinal': ORDINALS,
      'house-name': house.names,
      ...(house.towns && { 'house-town': house.towns }),
      'house-hospital': LEXICON.hospitalKinds,
    },
    locales: [...new Set(house.populations)],
  };
}

/** Forms as likely as each other, which together weigh so much. */
function alike(weight: number, forms: readonly string[]): Weighed[] {
  return forms.map((form) => [form, weight / forms.length]);
}

function datesOf(styles: readonly DateStyle[]): string[] {
  return styles.map((style) => DATES[style]);
}

function namesOf(styles: readonly NameStyle[]): string[] {
  return styles.map((style) => NAMES[style]);
}

/** Of a pattern in which `#` and `!` are digits and `?` is a letter. */
function digitsOf(pattern: string): string {
  return pattern.replaceAll('?', '{letter}').replaceAll(/[#!]+/g, ({ length }) => `{#${length}}`);
}
