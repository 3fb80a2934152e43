import { type Fill, withSecureStream } from '../../../../models/tensor/secure-stream.js';
import { uniformInteger } from '../../../../platform/uniform-integer.js';

const WORDS_A_PIECE = 4096;

/**
 * Shuffles in place (Fisher-Yates) by a secure stream, as the noise is drawn. No seed can be set: who
 * could repeat the shuffle could put released sentences back into the order of the notes.
 */
export function secureShuffle<T>(items: { readonly length: number; [i: number]: T }): void {
  withSecureStream((fill) => shuffleBy(wordsOf(fill), items));
}

function shuffleBy<T>(
  words: Generator<number, never>,
  items: { readonly length: number; [i: number]: T },
): void {
  const word = () => words.next().value;
  for (let i = items.length - 1; i > 0; i--) {
    const j = uniformInteger(i + 1, word);
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
}

function* wordsOf(fill: Fill): Generator<number, never> {
  const words = new Uint32Array(WORDS_A_PIECE);
  for (;;) {
    fill(words);
    yield* words;
  }
}
