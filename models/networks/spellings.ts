import { trainedRow } from '../tensor/embedding.js';
import * as tf from '../tensor/tf.js';
import type { Token } from '../text/token.js';

/** Codes of characters: code points under 127 stand for themselves, all others for the last one. */
export const SPELLING_CODES = 128;
const OTHER = SPELLING_CODES - 1;
/** Of a longer word what comes after is not read: no name is as long, and a line without a space may be. */
const MOST_CHARACTERS = 64;

/** The spellings of a text, each once; weights are shared over tokens, so that one reading serves all of them. */
export interface Spellings {
  /** [U · S], 0 past a spelling's end */
  readonly codes: Int32Array;
  /** [U] */
  readonly lengths: Int32Array;
  /** S, the length of the longest */
  readonly steps: number;
  /** [T], which spelling each token has, as rows of `embedding` */
  readonly rows: Int32Array;
}

export function spellingsOf(tokens: readonly Token[]): Spellings {
  const placeOf = new Map<string, number>();
  const rows = Int32Array.from(tokens, ({ text }) => {
    const place = placeOf.get(text) ?? placeOf.size;
    placeOf.set(text, place);
    return trainedRow(place);
  });
  const words = [...placeOf.keys()].map(codesOf);
  const lengths = Int32Array.from(words, ({ length }) => length);
  const steps = lengths.reduce((most, length) => Math.max(most, length), 1);
  const codes = new Int32Array(words.length * steps);
  words.forEach((word, place) => {
    codes.set(word, place * steps);
  });
  return { codes, lengths, steps, rows };
}

/** [U, S] */
export function codeTensor({ codes, lengths, steps }: Spellings): tf.Tensor2D {
  return tf.tensor2d(codes, [lengths.length, steps], 'int32');
}

function codesOf(word: string): number[] {
  return Array.from(word)
    .slice(0, MOST_CHARACTERS)
    .map((character) => Math.min(character.codePointAt(0) as number, OTHER));
}
