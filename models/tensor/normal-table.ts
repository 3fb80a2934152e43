/**
 * The quantile of the standard normal distribution, by one polynomial for each octave of the
 * probability: what makes a normal number of a random word. The native kernels take the same table.
 *
 * The first bit of a word is the sign; the others, m, say how far out the number lies: at the z that
 * is exceeded with probability (m + 1/2) / 2^32, from 6.34 down to 0. The polynomials interpolate z at
 * the Chebyshev nodes of an octave of m, and are within 1.1e-7 of it (test/models/tensor/normal-table.test.ts).
 */
import { standardNormalQuantile } from './standard-normal.js';

const DEGREE = 7;
const TERMS = DEGREE + 1;
/** That of m + 1/2 for m = 0. */
const LOWEST_OCTAVE = -1;
const OCTAVES = 32;
/** From this octave on, which one number in 65,536 does not reach, polynomials are of m, below of m + 1/2. */
const COMMON_FROM = 15;
/** The middle of the numbers x from 1 to 2 that m is in its octave. */
const MIDDLE = 1.5;

/** [32, 8]: by octave from the lowest, the coefficients of the powers of x - 3/2 from the lowest. */
const COEFFICIENTS = new Float64Array(OCTAVES * TERMS);
/** What brings a distance of an octave to x. */
const SCALES = new Float64Array(OCTAVES);
for (let row = 0; row < OCTAVES; row++) {
  const octave = LOWEST_OCTAVE + row;
  const half = octave < COMMON_FROM ? 0 : 0.5;
  const exceeded = (x: number) => ((MIDDLE + x) * 2 ** octave + half) / 2 ** 32;
  COEFFICIENTS.set(
    interpolant((x) => -standardNormalQuantile(exceeded(x))),
    row * TERMS,
  );
  SCALES[row] = 2 ** -octave;
}

/** The normal number of a random word. */
export function normalOf(word: number): number {
  const m = word & 0x7fffffff;
  const octave = m === 0 ? LOWEST_OCTAVE : 31 - Math.clz32(m);
  const row = octave - LOWEST_OCTAVE;
  const x = (octave < COMMON_FROM ? m + 0.5 : m) * (SCALES[row] as number) - MIDDLE;
  let z = 0;
  for (let i = TERMS * (row + 1) - 1; i >= TERMS * row; i--)
    z = z * x + (COEFFICIENTS[i] as number);
  return word >>> 31 === 1 ? -z : z;
}

/** The normal numbers of random words, as floats. */
export function normalsOf(words: Uint32Array): Float32Array {
  const normals = new Float32Array(words.length);
  for (let i = 0; i < words.length; i++) normals[i] = normalOf(words[i] as number);
  return normals;
}

/** Octaves of a half of the table, each at the last four bits of a float's exponent. */
const HALF = 16;
const EXPONENT_BIAS = 127;

/** The table as kernels look it up: [2, 8, 16], the common octaves and the rare ones, by power. */
export const NORMAL_TABLE = new Float32Array(2 * TERMS * HALF);
COEFFICIENTS.forEach((coefficient, i) => {
  const octave = LOWEST_OCTAVE + Math.floor(i / TERMS);
  const part = octave < COMMON_FROM ? 1 : 0;
  const row = part * TERMS + (i % TERMS);
  NORMAL_TABLE[row * HALF + ((octave + EXPONENT_BIAS) % HALF)] = coefficient;
});

/** The coefficients of the polynomial through f at the Chebyshev nodes of x - 3/2: Newton's form, expanded. */
function interpolant(f: (x: number) => number): Float64Array {
  const nodes = Float64Array.from(
    { length: TERMS },
    (_, j) => Math.cos((Math.PI * (j + 0.5)) / TERMS) / 2,
  );
  const at = (values: Float64Array, i: number) => values[i] as number;
  const differences = nodes.map(f);
  for (let order = 1; order <= DEGREE; order++) {
    for (let j = DEGREE; j >= order; j--) {
      const rise = at(differences, j) - at(differences, j - 1);
      differences[j] = rise / (at(nodes, j) - at(nodes, j - order));
    }
  }
  const coefficients = new Float64Array(TERMS);
  for (let j = DEGREE; j >= 0; j--) {
    for (let power = DEGREE; power >= 0; power--) {
      const lower = power === 0 ? at(differences, j) : at(coefficients, power - 1);
      coefficients[power] = lower - at(nodes, j) * at(coefficients, power);
    }
  }
  return coefficients;
}
