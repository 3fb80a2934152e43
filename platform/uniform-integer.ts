const WORD_RANGE = 2 ** 32;

/**
 * An integer in [0, n), every one equally likely, of uniform words of 32 bits; n is from 1 to 2^32. Words
 * beyond the last whole multiple of n are passed over.
 */
export function uniformInteger(n: number, nextWord: () => number): number {
  const limit = WORD_RANGE - (WORD_RANGE % n);
  for (;;) {
    const word = nextWord();
    if (word < limit) return word % n;
  }
}
