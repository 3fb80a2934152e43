import type { NoiseLevel } from '../../models/bundle/manifest.js';
import type { SegmentRecord } from '../../pool-store/segments/segment-records.js';
import { TacetError } from '../../proto/errors.js';

/** An honest segment is refused with at most this probability. */
const FALSE_ALARMS = 1e-9;
/** Room for the rounding to float16, which moves a square by less than 2⁻¹⁰ of itself. */
const ROUNDING = 0.002;

type NormRecord = Pick<
  SegmentRecord,
  'digest' | 'sentences' | 'tokens' | 'meanSquareNorm' | 'norms'
>;

/** Least and most mean ‖r‖² over T tokens that a release may have. */
export interface NormBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Refuses a segment whose vectors cannot be releases of the model: with the noise off, or of another
 * level, in all or in a single sentence. Throws `contribution-invalid`.
 */
export function checkNoise(
  { digest, sentences, tokens, meanSquareNorm, norms }: NormRecord,
  noise: NoiseLevel,
): void {
  // The mean of the whole, and each sentence.
  const checks = sentences + 1;
  const require = (norm: number, count: number) => {
    const { least, most } = normBounds(noise, count, FALSE_ALARMS / checks);
    if (norm >= least && norm <= most) return;
    throw new TacetError(
      'contribution-invalid',
      `segment ${digest}: ${count} tokens have a mean squared norm of ${norm.toFixed(4)}; ` +
        `the model's noise gives ${(1 + noise.sumOfSquares).toFixed(4)}`,
    );
  };
  require(meanSquareNorm, tokens);
  for (const { tokens: count, least, most } of norms) {
    require(least, count);
    require(most, count);
  }
}

/**
 * For r = u + n, ‖u‖ = 1 and n Gaussian with σ per dimension, the sum S of ‖r‖² over T tokens has
 * mean T (1 + Σσ²), and outside these bounds it is with probability at most α: with
 * v = T max σ² (Σσ² + 2) ≥ Σσ⁴ + 2Σσ²u² and x = log(2 / α), P(S > mean + 2√(vx) + 2 max σ² x) ≤ e⁻ˣ
 * and P(S < mean − 2√(vx)) ≤ e⁻ˣ (Laurent and Massart 2000, lemma 1; Birgé 2001, lemma 8.1).
 */
export function normBounds(
  { max, sumOfSquares }: NoiseLevel,
  tokens: number,
  probability: number,
): NormBounds {
  const expected = 1 + sumOfSquares;
  const x = Math.log(2 / probability);
  const deviation = 2 * Math.sqrt((max ** 2 * (sumOfSquares + 2) * x) / tokens);
  const tail = (2 * max ** 2 * x) / tokens;
  return {
    least: (expected - deviation) * (1 - ROUNDING),
    most: (expected + deviation + tail) * (1 + ROUNDING),
  };
}
