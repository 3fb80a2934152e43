import { groupedBy } from '../../../platform/grouped-by.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import type { Mention } from '../likelihood/mention.js';
import type { AuditTarget } from '../target.js';
import { typeOf } from '../traits.js';
import type { Attribute } from './attribute.js';

/** Copies of each of the attacker's own sentences with other words of its list in them. */
const COPIES = 4;

/** A PHI token and what is to be inferred from its vector. */
export interface Clue extends Mention {
  readonly truth: number;
}

/** The PHI tokens of some notes that tell of an attribute. */
export function cluesOf(
  { labels, patients, vocabulary }: Pick<AuditTarget, 'labels' | 'patients' | 'vocabulary'>,
  examples: readonly TextExample[],
  { types, classes, of, toldBy }: Pick<Attribute, 'types' | 'classes' | 'of' | 'toldBy'>,
): Clue[] {
  const tells = (id: number) => !toldBy || toldBy(vocabulary.spelling(id) ?? '') !== undefined;
  return examples.flatMap((example) => {
    const patient = patients?.get(example);
    const truth = classes.indexOf((patient && of(patient)) ?? '');
    if (truth < 0) return [];
    return [...example.labels.keys()]
      .filter((position) => types.has(typeOf(labels, example.labels[position])))
      .filter((position) => tells(example.ids[position]))
      .map((position) => ({ example, position, truth }));
  });
}

/**
 * Copies of the attacker's own sentences in which the words that tell a class are replaced by others. For
 * each copy a class is drawn, then words that tell it. None for an attribute that no word tells.
 */
export function copiesWithOtherWords(
  clues: readonly Clue[],
  words: readonly (readonly number[])[],
  random: Random,
): Clue[] {
  if (words.some(({ length }) => length === 0)) return [];
  return bySentence(clues).flatMap((own) =>
    Array.from({ length: COPIES }, () => {
      const truth = random.integer(words.length);
      const ids = own[0].example.ids.slice();
      for (const { position } of own)
        ids[position] = words[truth][random.integer(words[truth].length)];
      const example = { ...own[0].example, ids };
      return own.map(({ position }) => ({ example, position, truth }));
    }).flat(),
  );
}

/** Words of the vocabulary that tell a class of an attribute, [classes][words]. */
export function wordsOf(
  { vocabulary }: AuditTarget,
  { classes, toldBy }: Pick<Attribute, 'classes' | 'toldBy'>,
): number[][] {
  const words: number[][] = classes.map(() => []);
  if (!toldBy) return words;
  for (let id = 0; id < vocabulary.size; id++) {
    const told = classes.indexOf(toldBy(vocabulary.spelling(id) ?? '') ?? '');
    words[told]?.push(id);
  }
  return words;
}

/** Clues that stand in one sentence together. */
export function bySentence(clues: readonly Clue[]): Clue[][] {
  return [...groupedBy(clues, ({ example }) => example).values()];
}
