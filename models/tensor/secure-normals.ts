import { randomFillSync } from 'node:crypto';
import { hasAddon, nativeFunction } from './addon.js';
import { boxMuller } from './reference/box-muller.js';

/** Random words are asked for in pieces, so that memory does not grow with `n`. */
const NORMALS_A_PIECE = 16384;
const WORDS_A_NORMAL = 2;

/**
 * `n` standard normal numbers for the noise of a release, from the operating system's
 * cryptographically secure generator, by the transform of Box and Muller on 53-bit uniforms in
 * double precision. There is no seed, so that nobody who holds one can draw the noise again and
 * take it off.
 */
export function secureNormals(n: number): Float32Array {
  const transform = hasAddon() ? nativeFunction('boxMuller') : boxMuller;
  const normals = new Float32Array(n + (n % 2));
  const words = new Uint32Array(WORDS_A_NORMAL * Math.min(normals.length, NORMALS_A_PIECE));
  for (let start = 0; start < n; start += NORMALS_A_PIECE) {
    const piece = normals.subarray(start, start + NORMALS_A_PIECE);
    randomFillSync(words, 0, WORDS_A_NORMAL * piece.length);
    transform(words, piece);
  }
  words.fill(0);
  return normals.subarray(0, n);
}
