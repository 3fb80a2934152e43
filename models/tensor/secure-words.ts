import { withSecureStream } from './secure-stream.js';

const WORDS_A_PAIR = 3;
/** Random words are asked for in pieces, so that they stay in the cache until they are used. */
const NORMALS_A_PIECE = 32768;
const buffer = new Uint32Array((WORDS_A_PAIR * NORMALS_A_PIECE) / 2);

/**
 * Gives `use` the words of one secure stream for the normal numbers from `from` to `to`, three for a
 * pair and for a last one that has no partner, until there are words for `n`. The words are wiped in
 * the end. Where a virtual machine is copied meanwhile, both copies go on with this stream, for the
 * numbers that they already hold, and part at the next. Throws `randomness-missing`.
 */
export function withSecureWords(
  n: number,
  use: (words: Uint32Array, from: number, to: number) => void,
): void {
  try {
    withSecureStream((fill) => {
      for (let from = 0; from < n; from += NORMALS_A_PIECE) {
        const to = Math.min(n, from + NORMALS_A_PIECE);
        const words = buffer.subarray(0, wordsFor(to - from));
        fill(words);
        use(words, from, to);
      }
    });
  } finally {
    buffer.fill(0, 0, wordsFor(Math.min(n, NORMALS_A_PIECE)));
  }
}

function wordsFor(normals: number): number {
  return WORDS_A_PAIR * Math.ceil(normals / 2);
}
