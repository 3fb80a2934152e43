import { hasAddon, nativeFunction } from './addon.js';
import { noiseWords } from './noise-words.js';
import { philoxWords, type StreamPosition, WORDS_A_BLOCK } from './philox.js';

/** The `count` words of a stream from `position` on, by a kernel where there is one. */
export function streamWords(position: StreamPosition, count: number): Uint32Array {
  if (!hasAddon()) return philoxWords(position, count);
  const { key, counter } = position;
  const skipped = counter % WORDS_A_BLOCK;
  const words = new Uint32Array(skipped + count);
  const start = { key, counter: counter - skipped };
  nativeFunction('philoxWords')({ position: start, words });
  return words.subarray(skipped);
}

/** The words of `noiseWords`, by a kernel where there is one. */
export function streamNoiseWords(position: StreamPosition, count: number): Uint32Array {
  if (!hasAddon()) return noiseWords(position, count);
  const words = new Uint32Array(count);
  nativeFunction('noiseWords')({ position, words });
  return words;
}
