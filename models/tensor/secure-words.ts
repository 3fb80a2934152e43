import { randomFillSync } from 'node:crypto';

const WORDS_A_NORMAL = 2;
/** Random words are asked for in pieces, so that they stay in the cache until they are used. */
const NORMALS_A_PIECE = 16384;
const buffer = new Uint32Array(WORDS_A_NORMAL * NORMALS_A_PIECE);

/**
 * Gives `use` the words of the operating system's cryptographically secure generator for the normal
 * numbers from `from` to `to`, two a number and four where the last has no partner, until there are
 * words for `n`. The words are wiped in the end.
 */
export function withSecureWords(
  n: number,
  use: (words: Uint32Array, from: number, to: number) => void,
): void {
  try {
    for (let from = 0; from < n; from += NORMALS_A_PIECE) {
      const to = Math.min(n, from + NORMALS_A_PIECE);
      const words = buffer.subarray(0, WORDS_A_NORMAL * (to - from + (to % 2)));
      randomFillSync(words);
      use(words, from, to);
    }
  } finally {
    buffer.fill(0, 0, WORDS_A_NORMAL * Math.min(n + (n % 2), NORMALS_A_PIECE));
  }
}
