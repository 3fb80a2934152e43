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
  /** Where the entity that it is of begins in its sentence. */
  readonly start: number;
}

/**
 * The PHI tokens of some notes that tell of an attribute. A surrogate is drawn apart from what else its note says: where
 * entities were replaced, the class that each tells by itself is to be inferred from its tokens.
 */
export function cluesOf(
  target: Pick<AuditTarget, 'labels' | 'patients' | 'vocabulary' | 'replaced'>,
  examples: readonly TextExample[],
  attribute: Pick<Attribute, 'types' | 'classes' | 'of' | 'toldBy' | 'toldBySurrogate'>,
): Clue[] {
  const { labels, patients, vocabulary } = target;
  const { types, classes, of, toldBy, toldBySurrogate } = attribute;
  const bySurrogate = isToldBySurrogates(target);
  return examples.flatMap((example) => {
    const patient = patients?.get(example);
    const stated = patient && of(patient);
    const wordAt = (position: number) => vocabulary.spelling(example.ids[position]) ?? '';
    return entitiesIn(example, labels)
      .filter(([first]) => types.has(typeOf(labels, example.labels[first])))
      .flatMap((positions) => {
        const told = bySurrogate ? toldBySurrogate(positions.map(wordAt)) : stated;
        const truth = classes.indexOf(told ?? '');
        if (truth < 0) return [];
        return positions
          .filter((position) => !toldBy || toldBy(wordAt(position)) !== undefined)
          .map((position) => ({ example, position, truth, start: positions[0] }));
      });
  });
}

/** The positions of each entity's tokens. */
function entitiesIn({ labels: own }: TextExample, labels: readonly string[]): number[][] {
  const entities: number[][] = [];
  own.forEach((label, position) => {
    if (label === 0) return;
    const continues = labels[label]?.startsWith('I-') && own[position - 1] > 0;
    if (continues) entities.at(-1)?.push(position);
    else entities.push([position]);
  });
  return entities;
}

/** Whether the class to be inferred is that which a surrogate tells. */
export function isToldBySurrogates({ replaced }: Pick<AuditTarget, 'replaced'>): boolean {
  return replaced !== undefined;
}

/** Clues of which one class is to be inferred: those of a surrogate, else of a sentence. */
export function trialsOf(target: Pick<AuditTarget, 'replaced'>, clues: readonly Clue[]): Clue[][] {
  const sentences = bySentence(clues);
  if (!isToldBySurrogates(target)) return sentences;
  return sentences.flatMap((own) => [...groupedBy(own, ({ start }) => start).values()]);
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
      return own.map((clue) => ({ ...clue, example, truth }));
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
