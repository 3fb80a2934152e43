import type { Random } from '../../tensor/random.js';
import { type HeldNotes, labelKeyOf } from './held-notes.js';
import type { HeldPiece } from './held-piece.js';
import { type LabelledWindow, windowOf } from './labelled-window.js';
import { EntityDraws } from './masked-sentence.js';

/** Ways in which a piece's labels may come out, where its entities are not known. */
const SHAPES = 6;

/** Entities of one shape that are drawn. */
export const WAYS = 4;

/** A piece of a held sentence as the attacker thinks that it may have been encoded. */
export interface Guess {
  /** Of the held piece. */
  readonly key: string;
  /** One as likely as the other: the piece itself, or `WAYS` with equal labels. */
  readonly ways: readonly LabelledWindow[];
  /** [T] */
  readonly labels: Uint8Array;
  /** Drawn without a look at what was released. */
  readonly isFree: boolean;
  /** Compared with releases of these labels, too. */
  readonly isFitting: boolean;
}

/**
 * The guesses of each held piece: the piece itself where its sentence is known whole; else with entities of the
 * population, as many words as these have, or as many as those of releases that it may be of.
 */
export function guessesOf(
  pieces: readonly HeldPiece[],
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
  return pieces.flatMap(({ key, sentence: { example, mask }, piece }): Guess[] => {
    const window = windowOf(example, piece);
    if (!isMasked || !mask.hasEntities)
      return [{ key, ways: [window], labels: window.labels, isFree: true, isFitting: true }];
    const waysLike = (labels: Uint8Array) =>
      Array.from({ length: WAYS }, () => mask.fillLike(labels, entities, random, piece));
    if (!mask.hasEntitiesIn(piece)) {
      const { labels } = window;
      return [{ key, ways: waysLike(labels), labels, isFree: true, isFitting: true }];
    }
    const guess = (labels: Uint8Array, isFree: boolean): Guess => {
      return { key, ways: waysLike(labels), labels, isFree, isFitting: !isFree };
    };
    const free = Array.from({ length: SHAPES }, () => mask.fill(entities, random, piece).labels);
    const fitting = [...(shapes.get(labelKeyOf(window.labels, { isMasked }))?.values() ?? [])];
    return [
      ...free.map((labels) => guess(labels, true)),
      ...fitting.map((labels) => guess(labels, false)),
    ];
  });
}
