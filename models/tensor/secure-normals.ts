import { hasAddon, nativeFunction } from './addon.js';
import { boxMuller } from './reference/box-muller.js';
import { withSecureWords } from './secure-words.js';

/**
 * `n` standard normal numbers for the noise of a release, from a secure stream, by the
 * transform of Box and Muller on uniforms of 53 and 43 bits, to a millionth of a pair's radius. There is
 * no seed, so that nobody who holds one can draw the noise again and take it off. Throws
 * `randomness-missing`.
 */
export function secureNormals(n: number): Float32Array {
  const transform = hasAddon() ? nativeFunction('boxMuller') : boxMuller;
  const normals = new Float32Array(n + (n % 2));
  withSecureWords(n, (words, from, to) => {
    transform(words, normals.subarray(from, to + (to % 2)));
  });
  return normals.subarray(0, n);
}
