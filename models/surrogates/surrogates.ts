import { randomInt } from 'node:crypto';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as spanish } from '@faker-js/faker/locale/es';
import { isAgeInDigits } from './age-words.js';
import { dateReading } from './date-reading.js';
import { type DateParts, type DateReading, datePartsIn, movedParts } from './day-shift.js';
import type { Draws } from './draws.js';
import type { Inventory } from './inventory.js';
import { movedDate } from './moved-date.js';
import { isOfNobody } from './name-words.js';
import { daysSinceLast, isOldBirth, lastLived } from './note-days.js';
import { type SurrogateKind, surrogateKind } from './surrogate-kind.js';
import {
  languageOfLocale,
  type SurrogateLanguage,
  type SurrogateLocale,
} from './surrogate-language.js';
import { drawnShift, type SurrogateShift } from './surrogate-shift.js';

const FAKERS = { en: english, es: spanish } as const;
/** HIPAA Safe Harbor joins all ages over 89. */
const OLDEST = 90;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** What an identifier must hold to be told from another. */
const SCRAMBLED = /[\p{N}\p{L}]/u;
/** `O'Donnell` is one; in `Patel's` the last letter is none of the name. */
const NAME_WORD = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]{2,})*|\p{N}+/gu;
/** Before the digits of a house telephone. */
const EXTENSION = /(?<=\d[ ,]{0,3})(?:x|extn?|extension)(?=[ .:#]{0,2}\d)/giu;
/** The time of day behind a date stays. */
const CLOCK =
  /[T ,]{1,2}(?:at |a las )?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?| ?h(?:rs)?)?$/iu;
/** Letters of an abbreviation at most, which is written in capitals anywhere. */
const LONGEST_ABBREVIATION = 4;
/** Kinds in which every digit and letter stands for itself. */
const NUMBERED = [
  ...(['zip', 'ip', 'username', 'room', 'licence', 'vehicle', 'card', 'number'] as const),
];

/**
 * Kinds that are words of the language, which an inventory alone has. None is drawn for the sex, which the words around it
 * go with.
 */
const TERMS = [...(['kinship', 'origin', 'title', 'department', 'quantity', 'unknown'] as const)];
/** Kinds whose words begin with capitals. */
const PROPER: ReadonlySet<SurrogateKind> = new Set([
  ...(['place', 'country', 'street', 'organisation', 'hospital', 'clinic'] as const),
]);
/** Fewer would be told apart by a note with many names. */
const FEWEST_PEOPLE = 200;

type Make = (phi: string, type: string) => string | undefined;

const DRAWS: Draws = { integer: (n) => randomInt(n) };

/** Draws for a surrogate that is free, before names are joined because hardly one is left. */
const MOST_DRAWS = 50;

/** A mention of PHI, of the type that the label scheme gives it. */
export interface Mention {
  readonly phi: string;
  readonly type: string;
}

/**
 * What stands for PHI in one document, so that it still reads as a note: one word of a name always by
 * the same word, all dates moved by the same number of days. Chosen by OpenSSL's generator, which
 * the operating system seeds, and forgotten with the document. No two words share a surrogate while others are left. What is
 * drawn depends on no mention but by its shape, so that it may be what stood there: of a patient's many notes, a name that
 * never comes would be the patient's.
 */
export class Surrogates {
  readonly #known = new Map<string, string>();
  /** Surrogates in use, as `keyOf` gives them. */
  readonly #taken = new Set<string>();
  readonly #language: SurrogateLanguage;
  readonly #reading: DateReading;
  readonly #shift: SurrogateShift;
  /** Of the dates once they are moved. */
  readonly #lastLived: number;
  /** Family names of one word. */
  readonly #people: readonly string[];

  /**
   * `mentions` are all that will be asked for: how dates are read and written is one for all of them. What an
   * inventory has no entities for is faker's, in the language of `locale`, whose region says how dates are read that could
   * be of two days. `shift` is what the document shares with others, where it does.
   */
  constructor(
    locale: SurrogateLocale = 'en',
    mentions: Iterable<Mention> = [],
    private readonly inventory?: Inventory,
    shift?: SurrogateShift,
  ) {
    this.#language = languageOfLocale(locale);
    const { generic = [] } = FAKERS[this.#language].definitions.person.last_name ?? {};
    const own = inventory?.file.lists.family?.filter(isOneWord) ?? [];
    this.#people = own.length < FEWEST_PEOPLE ? generic.filter(isOneWord) : own;
    const dates = Array.from(mentions)
      .filter(({ phi, type }) => kindOf(type, phi) === 'date')
      .map(({ phi }) => withoutClock(phi));
    this.#reading = dateReading(dates, locale);
    const parts = dates.flatMap((date) => this.#partsOf(date) ?? []);
    this.#shift = shift ?? drawnShift(DRAWS, daysSinceLast(parts));
    this.#lastLived = lastLived(parts.map((each) => this.#moved(each)));
  }

  /** The surrogate of one mention, of the type that the label scheme gives it; the type itself where nothing can be made up. */
  of(phi: string, type: string): string {
    return this.#make[kindOf(type, phi)]?.(phi, type) ?? `[${type}]`;
  }

  /** What none is made for here is named by its type. */
  readonly #make: Readonly<Partial<Record<SurrogateKind, Make>>> = {
    name: (phi) => this.#words(phi, () => this.#person()),
    place: this.#public('place', () => this.#faker().location.city()),
    country: this.#public('country', () => this.#faker().location.country()),
    street: this.#public('street', () => this.#street()),
    organisation: this.#public('organisation', () => `Hospital ${this.#person()}`),
    hospital: this.#public('hospital', () => `Hospital ${this.#person()}`),
    clinic: this.#public('clinic', () => `Hospital ${this.#person()}`),
    profession: this.#public('profession', () => this.#faker().person.jobTitle()),
    ...Object.fromEntries(TERMS.map((kind) => [kind, this.#public(kind)])),
    email: (phi) => this.#once('email', phi, () => `${scrambled('user00000')}@example.org`),
    url: (phi) => this.#once('url', phi, () => `https://example.org/${scrambled('page0000')}`),
    age: (phi) => this.#ages(phi),
    date: (phi) => this.#date(phi),
    phone: (phi) => this.#phone(phi),
    ...Object.fromEntries(NUMBERED.map((kind) => [kind, (phi: string) => this.#number(phi)])),
  };

  /** Of the inventory's entities of the type, else as `otherwise` makes it. */
  #public(kind: SurrogateKind, otherwise?: () => string): Make {
    return (phi, type) => {
      const { inventory } = this;
      const own = inventory?.types.includes(type) ? () => inventory.draw(type, DRAWS) : otherwise;
      const drawn = own && this.#once(kind, phi, own);
      return drawn && PROPER.has(kind) ? inCaseOfPhrase(phi, drawn) : drawn;
    };
  }

  /** What says that an extension follows stays. */
  #phone(phi: string): string | undefined {
    const words = [...phi.matchAll(EXTENSION)];
    return words.reduce(
      (written, { 0: word, index }) =>
        written && written.slice(0, index) + word + written.slice(index + word.length),
      this.#number(phi),
    );
  }

  #number(phi: string): string | undefined {
    return SCRAMBLED.test(phi) ? this.#once('number', phi, () => scrambled(phi)) : undefined;
  }

  #words(phi: string, draw: () => string): string | undefined {
    let isSomebodys = false;
    const drawn = phi.replace(NAME_WORD, (word, at: number) => {
      if (isOfNobody(word, phi, at, this.#language)) return word;
      isSomebodys = true;
      if (/\p{N}/u.test(word)) return scrambled(word);
      const name = isLetter(word) ? this.#initial(word, draw) : this.#once('name', word, draw);
      return inCaseOf(word, name);
    });
    return isSomebodys ? drawn : undefined;
  }

  /** Of a name that the document has spelled out before, where one begins with the letter. */
  #initial(letter: string, draw: () => string): string {
    const start = keyOf('name', letter);
    for (const [key, surrogate] of this.#known)
      if (key.startsWith(start)) return surrogate.slice(0, 1);
    return this.#once('unknown', letter, () => draw().slice(0, 1));
  }

  /**
   * None of a date that came to be so long ago that it would give away an age over 89: were it the one before that decides, one
   * that came to make someone older would say by how much it moved.
   */
  #date(phi: string): string | undefined {
    const date = withoutClock(phi);
    const parts = this.#partsOf(date);
    if (!parts || isOldBirth(this.#moved(parts), this.#lastLived)) return undefined;
    const moved = movedDate(date, this.#shift.days, this.#reading);
    return moved && moved + phi.slice(date.length);
  }

  #partsOf(date: string): DateParts | undefined {
    return datePartsIn(date, this.#reading);
  }

  #moved(parts: DateParts): DateParts {
    return movedParts(parts, this.#shift.days, this.#reading);
  }

  #ages(phi: string): string | undefined {
    return /\d/.test(phi) && isAgeInDigits(phi)
      ? phi.replace(/\d+/, (age) => `${this.#age(Number(age))}`)
      : undefined;
  }

  #age(age: number): number {
    if (age >= OLDEST) return OLDEST;
    return Math.min(OLDEST, Math.max(1, age + this.#shift.years));
  }

  #person(): string {
    let name = pick(this.#people);
    for (let draws = 1; this.#taken.has(keyOf('name', name)) && draws < MOST_DRAWS; draws++)
      name = pick(this.#people);
    return name;
  }

  #street(): string {
    const number = 1 + randomInt(199);
    return this.#language === 'es'
      ? `Calle ${this.#person()} ${number}`
      : `${number} ${this.#person()} Street`;
  }

  #faker() {
    const faker = FAKERS[this.#language];
    faker.seed(randomInt(2 ** 32));
    return faker;
  }

  /** The same for the same text, and another one than of any other while some are left. */
  #once(kind: SurrogateKind, phi: string, draw: () => string): string {
    const key = keyOf(kind, phi);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isFree = (drawn: string) => !this.#taken.has(keyOf(kind, drawn));
    let surrogate = draw();
    for (let draws = 1; !isFree(surrogate) && draws < MOST_DRAWS; draws++) surrogate = draw();
    while (!isFree(surrogate) && kind === 'name') surrogate += draw().toLowerCase();
    this.#known.set(key, surrogate);
    this.#taken.add(keyOf(kind, surrogate));
    return surrogate;
  }
}

function withoutClock(date: string): string {
  return date.replace(CLOCK, '');
}

/** Digits alone are a number where the scheme has one type: a year that stayed might be another number. */
function kindOf(type: string, phi: string): SurrogateKind {
  return type === 'PHI' && /^\d+$/.test(phi) ? 'number' : surrogateKind(type, phi);
}

function keyOf(kind: SurrogateKind, phi: string): string {
  return `${kind} ${phi.normalize('NFKC').toLowerCase()}`;
}

/** Every digit by a digit and every letter by a letter, the rest as it is. */
function scrambled(phi: string): string {
  return phi.replace(/\p{N}|\p{L}\p{M}*/gu, (character) => {
    if (/\p{N}/u.test(character)) return `${randomInt(10)}`;
    return inCaseOf(character, LETTERS[randomInt(LETTERS.length)] as string);
  });
}

function inCaseOf(like: string, word: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return like === like.toLowerCase() ? word.toLowerCase() : word;
}

function isLetter(word: string): boolean {
  return /^\p{L}\p{M}*$/u.test(word);
}

/** Of entities of several words, which lists write in any case. */
function inCaseOfPhrase(like: string, phrase: string): string {
  const isOneCase = (text: string) => text === text.toUpperCase() || text === text.toLowerCase();
  if (isOneCase(like)) return /\p{L}/u.test(like) ? inCaseOf(like, phrase) : phrase;
  if (!isOneCase(phrase) || phrase.length <= LONGEST_ABBREVIATION) return phrase;
  return phrase
    .toLowerCase()
    .replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

function isOneWord(name: string): boolean {
  return /^\p{L}+$/u.test(name);
}

function pick<T>(from: readonly T[]): T {
  return from[randomInt(from.length)] as T;
}
