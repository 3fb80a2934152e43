import { randomFillSync } from 'node:crypto';

/** Random words are asked for in pieces, so that memory does not grow with `n`. */
const PAIRS_A_PIECE = 4096;
const WORDS_A_PAIR = 4;

/**
 * `n` standard normal numbers for the noise of a release, from the operating system's
 * cryptographically secure generator, by the transform of Box and Muller (1958) on 53-bit uniforms
 * in double precision. There is no seed, so that nobody who holds one can draw the noise again and
 * take it off.
 */
export function secureNormals(n: number): Float32Array {
  const normals = new Float32Array(n);
  const words = new Uint32Array(PAIRS_A_PIECE * WORDS_A_PAIR);
  for (let start = 0; start < n; start += 2 * PAIRS_A_PIECE) {
    const count = Math.min(n - start, 2 * PAIRS_A_PIECE);
    randomFillSync(words, 0, Math.ceil(count / 2) * WORDS_A_PAIR);
    boxMuller(words, normals.subarray(start, start + count));
  }
  words.fill(0);
  return normals;
}

function boxMuller(words: Uint32Array, normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 2) {
    const uniform = bits53(words, 2 * i) + 2 ** -53;
    const radius = Math.sqrt(-2 * Math.log(uniform));
    const angle = 2 * Math.PI * bits53(words, 2 * i + 2);
    normals[i] = radius * Math.cos(angle);
    if (i + 1 < normals.length) normals[i + 1] = radius * Math.sin(angle);
  }
}

/** A multiple of 2^-53 in [0, 1). */
function bits53(words: Uint32Array, at: number): number {
  const high = (words[at] as number) >>> 5;
  const low = (words[at + 1] as number) >>> 6;
  return (high * 2 ** 26 + low) / 2 ** 53;
}
