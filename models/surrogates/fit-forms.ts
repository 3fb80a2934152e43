/** Which of some forms a corpus writes its entities in, as one step of expectation maximisation. */
import { groupedBy } from '../../platform/grouped-by.js';
import { parseForm, type Slot, type WordLists } from './entity-form.js';

/** Lists whose words are names: others of the same shape could stand there. */
const NAMES: ReadonlySet<string> = new Set(['city', 'family', 'given', 'region', 'street']);
/** Of how often what stands for a name is one of its list. */
const OTHER_NAME = 0.1;
/** Kept of what was stated: institutions write otherwise than the corpus. */
const STATED = 0.5;
const NAME_BEGINS = { same: /\p{Lu}/u, upper: /\p{Lu}/u, lower: /\p{Ll}/u } as const;
const NAME_GOES_ON = {
  same: /[\p{L}\p{M}'’-]/u,
  upper: /[\p{Lu}\p{M}'’-]/u,
  lower: /[\p{Ll}\p{M}'’-]/u,
} as const;
/** Words of a name at most. */
const NAME_WORDS = 3;

/**
 * How likely each form is, given how likely it is stated to be and what was met how often; both add up to 1
 * again. Half of it is as stated; the other half goes to the forms that could have written what was met, the
 * most to those that would have written it most often.
 */
export function fitForms(
  stated: ReadonlyMap<string, number>,
  met: ReadonlyMap<string, number>,
  lists: WordLists,
): Map<string, number> {
  const listed = new ListedWords(lists);
  const writers = [...stated].flatMap(([form, share]) => {
    const writer = writerOf(parseForm(form, lists), listed);
    return writer ? [{ form, share, ...writer }] : [];
  });
  const fitted = new Map<string, number>();
  let total = 0;
  for (const [entity, times] of met) {
    const able = writers.filter(({ writes }) => writes(entity));
    const sum = able.reduce((before, { share, chance }) => before + share * chance, 0);
    if (sum === 0) continue;
    total += times;
    for (const { form, share, chance } of able)
      fitted.set(form, (fitted.get(form) ?? 0) + (times * share * chance) / sum);
  }
  if (total === 0) return new Map(stated);
  const shares = [...stated].map(([form, share]) => {
    const found = (fitted.get(form) ?? 0) / total;
    return [form, STATED * share + (1 - STATED) * found] as const;
  });
  return new Map(shares);
}

/** What a form may write, and how likely any one of it is; undefined where words are misspelt. */
function writerOf(
  slots: readonly Slot[],
  listed: ListedWords,
): { writes: (entity: string) => boolean; chance: number } | undefined {
  const parts = slots.map((slot) => partOf(slot, listed));
  if (parts.includes(undefined)) return undefined;
  const chance = parts.reduce((product, part) => product * (part?.chance ?? 0), 1);
  const texts = slots.flatMap((slot) => (slot.kind === 'text' ? slot.text : []));
  const writes = (entity: string) =>
    texts.every((text) => entity.includes(text)) && writesAll(parts as readonly Part[], entity);
  return { writes, chance };
}

/** What one slot may write. */
interface Part {
  /** Of any one that it may write. */
  readonly chance: number;
  /** Where in an entity it may end that begins at `start`. */
  ends(entity: string, start: number): Iterable<number>;
}

function writesAll(parts: readonly Part[], entity: string): boolean {
  let reached = new Set([0]);
  for (const part of parts) {
    const ends = new Set<number>();
    for (const start of reached) for (const end of part.ends(entity, start)) ends.add(end);
    if (ends.size === 0) return false;
    reached = ends;
  }
  return reached.has(entity.length);
}

function partOf(slot: Slot, listed: ListedWords): Part | undefined {
  switch (slot.kind) {
    case 'text':
      return { chance: 1, ends: (entity, start) => endOf(slot.text, entity, start) };
    case 'digits':
      return {
        chance: 10 ** -slot.count,
        ends: (entity, start) => digitEnds(entity, start, slot.count, slot.count),
      };
    case 'number':
      return {
        chance: 1 / (slot.to - slot.from + 1),
        ends: (entity, start) => digitEnds(entity, start, slot.width, `${slot.to}`.length),
      };
    case 'word': {
      const { list, written } = slot;
      if (written === 'typo') return undefined;
      const chance = 1 / listed.wordsOf(list).length;
      return NAMES.has(list)
        ? {
            chance: OTHER_NAME * chance,
            ends: (entity, start) => nameEnds(entity, start, written),
          }
        : { chance, ends: (entity, start) => listed.ends(list, written, entity, start) };
    }
  }
}

function endOf(text: string, entity: string, start: number): number[] {
  return entity.startsWith(text, start) ? [start + text.length] : [];
}

/** Behind `least` to `most` digits. */
function digitEnds(entity: string, start: number, least: number, most: number): number[] {
  const ends: number[] = [];
  for (let end = start; end - start <= most; end++) {
    if (end - start >= least) ends.push(end);
    if (!isDigit(entity.charCodeAt(end))) break;
  }
  return ends;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Behind each letter of up to so many words that look like names, a space between two. */
function nameEnds(entity: string, start: number, written: Cased): number[] {
  const ends: number[] = [];
  let at = start;
  for (let word = 0; word < NAME_WORDS; word++) {
    let expected: RegExp = NAME_BEGINS[written];
    for (let letter = letterAt(entity, at); expected.test(letter); letter = letterAt(entity, at)) {
      at += letter.length;
      ends.push(at);
      expected = NAME_GOES_ON[written];
    }
    if (expected === NAME_BEGINS[written] || entity[at] !== ' ') break;
    at += 1;
  }
  return ends;
}

function letterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

type Cased = 'same' | 'upper' | 'lower';

/** The words of lists in each case, by their lengths. */
class ListedWords {
  readonly #known = new Map<string, ReadonlyMap<number, ReadonlySet<string>>>();

  constructor(private readonly lists: WordLists) {}

  wordsOf(list: string): readonly string[] {
    return this.lists[list] as readonly string[];
  }

  /** Behind each word that stands there. */
  ends(list: string, written: Cased, entity: string, start: number): number[] {
    return [...this.#byLength(list, written)].flatMap(([length, words]) =>
      words.has(entity.slice(start, start + length)) ? [start + length] : [],
    );
  }

  #byLength(list: string, written: Cased): ReadonlyMap<number, ReadonlySet<string>> {
    const key = `${written} ${list}`;
    const known = this.#known.get(key);
    if (known) return known;
    const words = inCase(this.wordsOf(list), written);
    const byLength = new Map(
      [...groupedBy(words, ({ length }) => length)].map(([length, each]) => [
        length,
        new Set(each),
      ]),
    );
    this.#known.set(key, byLength);
    return byLength;
  }
}

function inCase(words: readonly string[], written: Cased): readonly string[] {
  if (written === 'same') return words;
  return words.map((word) => (written === 'upper' ? word.toUpperCase() : word.toLowerCase()));
}
