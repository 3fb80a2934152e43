import { noiseWords } from '../noise-words.js';
import { normalsOf } from '../normal-table.js';
import type { StreamPosition } from '../philox.js';

/** `count` standard normals from a stream, one of each of its noise words. */
export function normalsAt(position: StreamPosition, count: number): Float32Array {
  return normalsOf(noiseWords(position, count));
}
