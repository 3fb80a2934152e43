import type { Random } from '../../tensor/random.js';
import { type HeldNotes, type HeldSentence, labelKeyOf } from './held-notes.js';
import { EntityDraws, type FilledSentence } from './masked-sentence.js';

/** Entities drawn for a sentence whose own are not known: in all, and for each way in which labels may fit. */
const FILLINGS = 8;
const FILLINGS_OF_LABELS = 4;

/** A sentence as the attacker thinks that it may have been encoded. */
export interface Guess extends FilledSentence {
  /** Of the held sentence. */
  readonly key: string;
  /** Drawn without a look at what was released. */
  readonly isFree: boolean;
  /** The labels that it was made to have, or has for certain; undefined where others are as likely. */
  readonly like: string | undefined;
}

/**
 * The guesses of each held sentence: the sentence itself where it is known whole; else with entities of the
 * population, drawn freely, and drawn to the labels of releases that it may be of.
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
      return [{ key, ids, labels, isFree: true, like: `${labels}` }];
    }
    const times = (count: number, fill: () => FilledSentence) =>
      Array.from({ length: count }, fill);
    const free = times(FILLINGS, () => mask.fill(entities, random)).map((filled) => {
      return { ...filled, key, isFree: true, like: undefined };
    });
    const fitting = [...(shapes.get(mask.labelKey) ?? [])].flatMap(([like, labels]) =>
      times(FILLINGS_OF_LABELS, () => mask.fillLike(labels, entities, random)).map((filled) => {
        return { ...filled, key, isFree: false, like };
      }),
    );
    return [...free, ...fitting];
  });
}
