/** Which of some forms a corpus writes its entities in, as one step of expectation maximisation. */
import { parseForm, type Slot, type WordLists } from './entity-form.js';

/** Lists whose words are names: others of the same shape could stand there. */
const NAMES: ReadonlySet<string> = new Set(['city', 'family', 'given', 'region', 'street']);
/** Of how often what stands for a name is one of its list. */
const OTHER_NAME = 0.1;
/** Kept of what was stated: institutions write otherwise than the corpus. */
const STATED = 0.5;
const NAME_WORD = {
  same: "\\p{Lu}[\\p{L}\\p{M}'’-]*",
  upper: "\\p{Lu}[\\p{Lu}\\p{M}'’-]*",
  lower: "\\p{Ll}[\\p{Ll}\\p{M}'’-]*",
} as const;

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
  const listed = new ListPatterns(lists);
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
  listed: ListPatterns,
): { writes: (entity: string) => boolean; chance: number } | undefined {
  const parts = slots.map((slot) => partOf(slot, listed));
  if (parts.includes(undefined)) return undefined;
  const chance = parts.reduce((product, part) => product * (part?.chance ?? 0), 1);
  const texts = slots.flatMap((slot) => (slot.kind === 'text' ? slot.text : []));
  let pattern: RegExp | undefined;
  // Of hundreds of expressions most are never needed, and long ones take long to compile.
  const writes = (entity: string) => {
    if (!texts.every((text) => entity.includes(text))) return false;
    pattern ??= new RegExp(`^${parts.map((part) => part?.source()).join('')}$`, 'u');
    return pattern.test(entity);
  };
  return { writes, chance };
}

function partOf(
  slot: Slot,
  listed: ListPatterns,
): { source: () => string; chance: number } | undefined {
  switch (slot.kind) {
    case 'text':
      return { source: () => escaped(slot.text), chance: 1 };
    case 'digits':
      return { source: () => `\\d{${slot.count}}`, chance: 10 ** -slot.count };
    case 'number':
      return {
        source: () => `\\d{${slot.width},${`${slot.to}`.length}}`,
        chance: 1 / (slot.to - slot.from + 1),
      };
    case 'word': {
      const { list, written } = slot;
      if (written === 'typo') return undefined;
      const chance = 1 / listed.wordsOf(list).length;
      if (!NAMES.has(list)) return { source: () => listed.patternOf(list, written), chance };
      const name = NAME_WORD[written];
      return { source: () => `${name}(?: ${name}){0,2}`, chance: OTHER_NAME * chance };
    }
  }
}

/** Any word of a list, each expression written once. */
class ListPatterns {
  readonly #patterns = new Map<string, string>();

  constructor(private readonly lists: WordLists) {}

  wordsOf(list: string): readonly string[] {
    return this.lists[list] as readonly string[];
  }

  patternOf(list: string, written: 'same' | 'upper' | 'lower'): string {
    const key = `${written} ${list}`;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = `(?:${inCase(this.wordsOf(list), written).map(escaped).join('|')})`;
    this.#patterns.set(key, pattern);
    return pattern;
  }
}

function inCase(words: readonly string[], written: 'same' | 'upper' | 'lower'): readonly string[] {
  if (written === 'same') return words;
  return words.map((word) => (written === 'upper' ? word.toUpperCase() : word.toLowerCase()));
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}
