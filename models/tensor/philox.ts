/**
 * Philox 4x32, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011): a bijection of a 128-bit counter under a 64-bit key. Any
 * word of a stream can be computed from its position alone.
 */
export type PhiloxKey = readonly [number, number];

/** Where a stretch of a stream starts: `counter` counts 32-bit words. */
export interface StreamPosition {
  readonly key: PhiloxKey;
  readonly counter: number;
}

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
/** The golden ratio and sqrt(3) - 1 as 32-bit fractions: the Weyl steps of the two key words. */
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
/** What the authors advise. */
const ROUNDS = 10;
export const WORDS_A_BLOCK = 4;

/** The four words of the block at `counter` [4] under `key`, written to `out` [4]. */
export function philoxBlock(counter: ArrayLike<number>, key: PhiloxKey, out: Uint32Array): void {
  let c0 = counter[0] as number;
  let c1 = counter[1] as number;
  let c2 = counter[2] as number;
  let c3 = counter[3] as number;
  let [k0, k1] = key;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** The `count` words of a stream from `position` on. */
export function philoxWords(position: StreamPosition, count: number): Uint32Array {
  const words = new Uint32Array(count);
  const block = new Uint32Array(WORDS_A_BLOCK);
  const skipped = position.counter % WORDS_A_BLOCK;
  const first = (position.counter - skipped) / WORDS_A_BLOCK;
  for (let at = -skipped, index = first; at < count; at += WORDS_A_BLOCK, index++) {
    philoxBlock(blockCounter(index), position.key, block);
    for (let lane = Math.max(0, -at); lane < WORDS_A_BLOCK && at + lane < count; lane++) {
      words[at + lane] = block[lane] as number;
    }
  }
  return words;
}

function blockCounter(index: number): [number, number, number, number] {
  return [index >>> 0, Math.floor(index / 2 ** 32), 0, 0];
}

/**
 * The upper 32 bits of the 64-bit product of two unsigned words, by 16-bit halves; no sum of these overflows 32 bits, so
 * that all stay integers.
 */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const carry = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (carry >>> 16)) | 0;
}
