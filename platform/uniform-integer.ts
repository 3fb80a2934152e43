const WORD_RANGE = 2 ** 32;

/**
 * An integer in [0, n), every one equally likely, of uniform words of 32 bits; n is from 1 to 2^32. Words
 * beyond the last whole multiple of n are passed over.
 */
export function uniformInteger(n: number, nextWord: () => number): number {
  // By quotients, which are exact here: % of numbers that need 33 bits takes several times as long.
  const limit = Math.floor(WORD_RANGE / n) * n;
  for (;;) {
    const word = nextWord();
    if (word < limit) return word - Math.floor(word / n) * n;
  }
}
