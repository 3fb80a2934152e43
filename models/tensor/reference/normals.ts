import { NOISE_ROUNDS, philoxWords, type StreamPosition, WORDS_A_BLOCK } from '../philox.js';

/**
 * `count` standard normals from a stream: words 2i and 2i + 1 give normals 2i and 2i + 1 by the
 * transform of Box and Muller (1958), the first as a multiple of 2^-24 and the second as the angle, a
 * multiple of 2^-32 turns. The largest normal is thus sqrt(48 ln 2) = 5.77.
 */
export function normalsAt(position: StreamPosition, count: number): Float32Array {
  const drawn = Math.ceil(count / WORDS_A_BLOCK) * WORDS_A_BLOCK;
  const words = philoxWords(position, drawn, NOISE_ROUNDS);
  const normals = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log((((words[i] as number) >>> 8) + 1) / 2 ** 24));
    const angle = (2 * Math.PI * (words[i + 1] as number)) / 2 ** 32;
    normals[i] = radius * Math.cos(angle);
    if (i + 1 < count) normals[i + 1] = radius * Math.sin(angle);
  }
  return normals;
}
