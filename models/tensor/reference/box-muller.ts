/**
 * Two standard normals from every three random words, by the transform of Box and Muller (1958) in
 * double precision: words [3, n / 2] -> normals [n], n even. The first uniform, of 53 bits, is in
 * (0, 1], so that its logarithm is finite; the second, the angle in turns, has the other 43 bits.
 */
export function boxMuller(words: Uint32Array, normals: Float32Array): void {
  const pairs = normals.length / 2;
  for (let i = 0; i < pairs; i++) {
    const first = words[i] as number;
    const second = words[pairs + i] as number;
    const third = words[2 * pairs + i] as number;
    const radius = Math.sqrt(-2 * Math.log(uniform53(first, second) + 2 ** -53));
    const angle = 2 * Math.PI * uniform43(first, second, third);
    normals[2 * i] = radius * Math.cos(angle);
    normals[2 * i + 1] = radius * Math.sin(angle);
  }
}

/** A multiple of 2^-53 in [0, 1): 27 bits of the first word, 26 of the second. */
function uniform53(first: number, second: number): number {
  return ((first >>> 5) * 2 ** 26 + (second >>> 6)) / 2 ** 53;
}

/** A multiple of 2^-43 in [0, 1): the third word, and the bits that `uniform53` left. */
function uniform43(first: number, second: number, third: number): number {
  return (third * 2 ** 11 + (((first & 31) << 6) | (second & 63))) / 2 ** 43;
}
