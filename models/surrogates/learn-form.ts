import { isDate } from './day-shift.js';
import { digits, isPlain, numberSlot, wordSlot } from './entity-form.js';
import { type SurrogateKind, surrogateKind } from './surrogate-kind.js';

/** What one public entity teaches: its form, and words for the lists that the form names. */
export interface LearntForm {
  readonly form: string;
  readonly words: readonly (readonly [list: string, word: string])[];
}

const YEARS = [1930, 2029] as const;
const OLDEST = 99;
const LAST_DAY = 28;
/** Titles and particles, which are nobody's name. */
const PARTICLES: ReadonlySet<string> = new Set([
  ...[
    'dr',
    'dra',
    'drs',
    'doctor',
    'doctora',
    'd',
    'dª',
    'dña',
    'don',
    'doña',
    'sr',
    'sra',
    'srta',
  ],
  ...[
    'mr',
    'mrs',
    'ms',
    'miss',
    'md',
    'prof',
    'professor',
    'judge',
    'justice',
    'sir',
    'lord',
    'lady',
  ],
  ...['de', 'del', 'la', 'las', 'los', 'el', 'y', 'e', 'da', 'do', 'dos', 'di', 'du', 'le'],
  ...[
    'van',
    'von',
    'zu',
    'der',
    'den',
    'and',
    'of',
    'the',
    's',
    'bin',
    'al',
    'jr',
    'ii',
    'iii',
    'phd',
  ],
]);
const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

/** The form of a public entity of a type; undefined where it can have none. */
export function learnForm(text: string, type: string): LearntForm | undefined {
  const spaced = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (!isPlain(spaced) || spaced.length > 200) return undefined;
  const learn = LEARNERS[surrogateKind(type, spaced)] ?? numbered;
  return learn(spaced);
}

const LEARNERS: Readonly<Partial<Record<SurrogateKind, (text: string) => LearntForm>>> = {
  name: nameForm,
  email: (text) => joined(text, '@', 'mailbox', 'domain'),
  date: dateForm,
  age: (text) => plain(text.replaceAll(/\p{Nd}+/gu, (age) => numberSlot(1, OLDEST, age))),
};

function plain(form: string): LearntForm {
  return { form, words: [] };
}

/** Every digit is drawn anew, the words stay together. */
function numbered(text: string): LearntForm {
  return plain(text.replaceAll(/\p{Nd}+/gu, (number) => digits(number.length)));
}

/** The first word that is no title is a given name where another one follows. */
function nameForm(text: string): LearntForm {
  const words: [string, string][] = [];
  const all = [...text.matchAll(WORD)].map(([word]) => word);
  const named = all.filter((word) => [...word].length > 1 && !isParticle(word));
  const hasGiven = named.length > 1 || all.some((word) => [...word].length === 1);
  const isReversed = /^[^,]+,\s/u.test(text);
  let met = 0;
  const form = text.replaceAll(WORD, (word) => {
    if (isParticle(word)) return word;
    if ([...word].length === 1) return wordSlot('initial', word.toUpperCase());
    const at = isReversed ? named.length - 1 - met : met;
    met++;
    const list = hasGiven && at === 0 && named.length > 1 ? 'given' : 'family';
    words.push([list, titleCase(word)]);
    return wordSlot(list, word);
  });
  const withInitials = form.includes('{initial') ? [['initial', 'A'] as const] : [];
  return {
    form: form.replaceAll(/\p{Nd}+/gu, (number) => digits(number.length)),
    words: [...words, ...withInitials],
  };
}

function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase());
}

function titleCase(word: string): string {
  if (word !== word.toUpperCase() && word !== word.toLowerCase()) return word;
  return word
    .toLowerCase()
    .replaceAll(
      /(^|[-'’])(\p{L})/gu,
      (_all, mark: string, letter: string) => mark + letter.toUpperCase(),
    );
}

function joined(text: string, mark: string, first: string, second: string): LearntForm {
  const parts = text.split(mark);
  const [before = '', after = ''] = parts;
  if (parts.length !== 2 || before === '' || after === '') return numbered(text);
  return {
    form: `{${first}}${mark}{${second}}`,
    words: [
      [first, before],
      [second, after],
    ],
  };
}

/** Days, months and years become ranges; a month that is written as a word stays as it is. */
function dateForm(text: string): LearntForm {
  if (!isDate(text)) return numbered(text);
  const numbers = [...text.matchAll(/\p{Nd}+/gu)].map(([number]) => number);
  const short = numbers.filter(({ length }) => length <= 2);
  const isWritten = /\p{L}{3,}/u.test(text);
  const isMonthFirst = !isWritten && Number(short[1]) > 12;
  const isYearFirst = numbers[0]?.length === 4;
  let met = 0;
  const form = text.replaceAll(/\p{Nd}+/gu, (number) => {
    if (number.length === 4) return numberSlot(...YEARS, number);
    if (number.length > 2) return digits(number.length);
    const at = met++;
    if (isWritten) return at === 0 ? numberSlot(1, LAST_DAY, number) : digits(number.length);
    if (at >= 2) return digits(2);
    const isMonth = isYearFirst || isMonthFirst ? at === 0 : at === 1 || short.length === 1;
    return numberSlot(1, isMonth ? 12 : LAST_DAY, number.length === 2 ? '00' : number);
  });
  return plain(form);
}
