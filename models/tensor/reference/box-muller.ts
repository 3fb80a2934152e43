const WORDS_A_PAIR = 4;

/**
 * Two standard normals from every four random words, by the transform of Box and Muller (1958) on
 * 53-bit uniforms in double precision: words [2n] -> normals [n], n even. The first uniform is in
 * (0, 1], so that its logarithm is finite.
 */
export function boxMuller(words: Uint32Array, normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 2) {
    const at = (i / 2) * WORDS_A_PAIR;
    const radius = Math.sqrt(-2 * Math.log(uniform53(words, at) + 2 ** -53));
    const angle = 2 * Math.PI * uniform53(words, at + 2);
    normals[i] = radius * Math.cos(angle);
    normals[i + 1] = radius * Math.sin(angle);
  }
}

/** A multiple of 2^-53 in [0, 1). */
function uniform53(words: Uint32Array, at: number): number {
  const high = (words[at] as number) >>> 5;
  const low = (words[at + 1] as number) >>> 6;
  return (high * 2 ** 26 + low) / 2 ** 53;
}
