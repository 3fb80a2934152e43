import { philoxBlock, type StreamPosition, WORDS_A_BLOCK } from './philox.js';

/** Words from one seeding of the generators to the next. */
export const STRETCH = 16_384;
/** As many as floats in the widest vector: each makes every sixteenth word. */
const GENERATORS = 16;

/**
 * The words that noise and dropout masks are made of, which must cost less than the memory that they
 * are added to: [count] from `position` on, which is at the beginning of a block. The same position
 * gives the same words, so a backward pass draws its sample again instead of keeping it.
 *
 * Every stretch has sixteen generators of its own, xoshiro128++ of Blackman and Vigna ("Scrambled linear
 * pseudorandom number generators", ACM TOMS 47, 2021), word i from generator i mod 16. Generator g
 * starts in the state that Philox gives for its counter (block of the stretch's first word, g + 1): a
 * bijection, so no two have the same start, and `philoxWords` never gives their states.
 */
export function noiseWords({ key, counter }: StreamPosition, count: number): Uint32Array {
  const words = new Uint32Array(count);
  const state = new Uint32Array(WORDS_A_BLOCK);
  for (let start = 0; start < count; start += STRETCH) {
    const block = (counter + start) / WORDS_A_BLOCK;
    const stretch = words.subarray(start, start + STRETCH);
    for (let generator = 0; generator < GENERATORS; generator++) {
      philoxBlock([block >>> 0, Math.floor(block / 2 ** 32), generator + 1, 0], key, state);
      generate(state, stretch, generator);
    }
  }
  return words;
}

/** Writes the words of one generator from `state` [4] on to their places in a stretch. */
export function generate(state: Uint32Array, stretch: Uint32Array, first: number): void {
  let [a, b, c, d] = state as unknown as [number, number, number, number];
  for (let i = first; i < stretch.length; i += GENERATORS) {
    stretch[i] = rotated(a + d, 7) + a;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
  }
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
