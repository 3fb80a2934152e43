import { bySight, type Evidence, type Sight } from './sight.js';

/** A contributed sentence may be missing, withheld or left out: no evidence against one is stronger. */
const MISSING = 0.01;

/** Over this, e to the power of it is all that counts. */
const LARGE = 30;

/**
 * The evidence of a held sentence from the log-likelihood ratios of its pieces, which left together or not at all;
 * 0 without any.
 */
export function jointEvidence(pieces: readonly Evidence[]): Evidence {
  const sum = (sight: Sight) => pieces.reduce((total, each) => total + each[sight], 0);
  return bySight((sight) => floored(sum(sight)));
}

function floored(ratio: number): number {
  if (ratio > LARGE) return ratio + Math.log(1 - MISSING);
  return Math.log(MISSING + (1 - MISSING) * (Number.isNaN(ratio) ? 0 : Math.exp(ratio)));
}
