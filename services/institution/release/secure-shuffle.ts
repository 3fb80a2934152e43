import { type Fill, withSecureStream } from '../../../models/tensor/secure-stream.js';

const WORD_RANGE = 2 ** 32;
const WORDS_A_PIECE = 4096;

/**
 * Shuffles in place (Fisher-Yates) by a secure stream, as the noise is drawn. No seed can be set: who
 * could repeat the shuffle could put released sentences back into the order of the notes.
 */
export function secureShuffle<T>(items: { readonly length: number; [i: number]: T }): void {
  withSecureStream((fill) => {
    const words = wordsOf(fill);
    for (let i = items.length - 1; i > 0; i--) {
      const j = below(i + 1, words);
      [items[i], items[j]] = [items[j] as T, items[i] as T];
    }
  });
}

/** Each of 0 to `count` - 1 with the same chance: words beyond the last whole multiple are passed over. */
function below(count: number, words: Iterator<number, never>): number {
  const most = WORD_RANGE - (WORD_RANGE % count);
  for (;;) {
    const word = words.next().value;
    if (word < most) return word % count;
  }
}

function* wordsOf(fill: Fill): Generator<number, never> {
  const words = new Uint32Array(WORDS_A_PIECE);
  for (;;) {
    fill(words);
    yield* words;
  }
}
