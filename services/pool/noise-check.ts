import type { Manifest } from '../../models/bundle/manifest.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import { TacetError } from '../../proto/errors.js';

/** Standard errors that the mean of an honest segment may lie off. */
const STANDARD_ERRORS = 6;
/** Room for the rounding of elements to float16. */
const ROUNDING = 0.005;

/**
 * Refuses a segment whose vectors cannot be releases of the model: with the noise off, or of another
 * level. For r = u + n, ‖u‖ = 1 and n Gaussian with σ per dimension, ‖r‖² has mean 1 + Σσ² and a
 * variance of at most 4 max σ² + 2 max σ² Σσ². Throws `contribution-invalid`.
 */
export function checkNoise(
  { digest, tokens, meanSquareNorm }: SegmentRecord,
  { outputStddev: { max, sumOfSquares } }: Manifest['noise'],
): void {
  const expected = 1 + sumOfSquares;
  const variance = max ** 2 * (4 + 2 * sumOfSquares);
  const tolerance = STANDARD_ERRORS * Math.sqrt(variance / tokens) + ROUNDING * expected;
  if (Math.abs(meanSquareNorm - expected) <= tolerance) return;
  throw new TacetError(
    'contribution-invalid',
    `segment ${digest} has a mean squared norm of ${meanSquareNorm.toFixed(4)}; ` +
      `the model's noise gives ${expected.toFixed(4)}`,
  );
}
