import type { Random } from '../../tensor/random.js';
import { type HeldNotes, type HeldSentence, labelKeyOf } from './held-notes.js';
import { EntityDraws } from './masked-sentence.js';

/** Ways in which a sentence's labels may come out, where its entities are not known. */
const SHAPES = 6;

/** Entities of one shape that are drawn. */
export const WAYS = 4;

/** A held sentence as the attacker thinks that it may have been encoded. */
export interface Guess {
  /** Of the held sentence. */
  readonly key: string;
  /** One as likely as the other: the sentence itself, or `WAYS` with equal labels. */
  readonly ways: readonly Int32Array[];
  /** [T] */
  readonly labels: Uint8Array;
  /** Drawn without a look at what was released. */
  readonly isFree: boolean;
  /** Compared with releases of these labels, too. */
  readonly isFitting: boolean;
}

/**
 * The guesses of each held sentence: the sentence itself where it is known whole; else with entities of the
 * population, as many words as these have, or as many as those of releases that it may be of.
 */
export function guessesOf(
  sentences: readonly HeldSentence[],
  { population, isMasked }: Pick<HeldNotes, 'population' | 'isMasked'>,
  released: readonly Uint8Array[],
  random: Random,
): Guess[] {
  const entities = new EntityDraws(population);
  const shapes = new Map<string, Map<string, Uint8Array>>();
  for (const labels of released) {
    const key = labelKeyOf(labels, { isMasked });
    const own = shapes.get(key) ?? new Map<string, Uint8Array>();
    shapes.set(key, own.set(`${labels}`, labels));
  }
  return sentences.flatMap(({ key, example, mask }): Guess[] => {
    if (!isMasked || !mask.hasEntities) {
      const { ids, labels } = example;
      return [{ key, ways: [ids], labels, isFree: true, isFitting: true }];
    }
    const guess = (labels: Uint8Array, isFree: boolean): Guess => {
      const way = () => mask.fillLike(labels, entities, random).ids;
      const ways = Array.from({ length: WAYS }, way);
      return { key, ways, labels, isFree, isFitting: !isFree };
    };
    const free = Array.from({ length: SHAPES }, () => mask.fill(entities, random).labels);
    const fitting = [...(shapes.get(mask.labelKey)?.values() ?? [])];
    return [
      ...free.map((labels) => guess(labels, true)),
      ...fitting.map((labels) => guess(labels, false)),
    ];
  });
}
