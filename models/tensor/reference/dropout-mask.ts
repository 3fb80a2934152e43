import { noiseWords } from '../noise-words.js';
import type { StreamPosition } from '../philox.js';

/** `count` values, each 0 with probability `rate` (to 2^-32) and 1 / (1 - rate) otherwise. */
export function dropoutMaskAt(position: StreamPosition, count: number, rate: number): Float32Array {
  const threshold = dropThreshold(rate);
  const kept = 1 / (1 - rate);
  const words = noiseWords(position, count);
  return Float32Array.from(words, (word) => (word < threshold ? 0 : kept));
}

/** Words below it drop their element. */
export function dropThreshold(rate: number): number {
  return Math.floor(rate * 2 ** 32);
}
