import { noiseWords } from '../noise-words.js';
import { normalOf } from '../normal-table.js';
import type { StreamPosition } from '../philox.js';

/** `count` standard normals from a stream, one of each of its noise words. */
export function normalsAt(position: StreamPosition, count: number): Float32Array {
  const words = noiseWords(position, count);
  const normals = new Float32Array(count);
  for (let i = 0; i < count; i++) normals[i] = normalOf(words[i] as number);
  return normals;
}
