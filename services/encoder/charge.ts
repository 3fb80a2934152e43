import { standardNormalCdf } from '../../models/tensor/standard-normal.js';

/**
 * What releases reveal of one PHI entity, estimated: E[Δ²] of moving it, by sampled twins and noise
 * draws. Charges of several sentences, releases and jobs add up, because Φ(½√s) is concave in s.
 */
export interface Charge {
  /** Estimate of E[Δ²]. */
  readonly mean: number;
  /** Variance of that estimate. */
  readonly variance: number;
}

export const NO_CHARGE: Charge = { mean: 0, variance: 0 };

/** The fewest draws that an estimate is made of. */
export const DRAWS = 16;
/** 97.5 % point of Student's t with `DRAWS` − 1 degrees of freedom. */
const STUDENT_T = 2.1314;

export function plus(a: Charge, b: Charge): Charge {
  return { mean: a.mean + b.mean, variance: a.variance + b.variance };
}

export function minus(a: Charge, b: Charge): Charge {
  return { mean: Math.max(0, a.mean - b.mean), variance: Math.max(0, a.variance - b.variance) };
}

/** The mean of draws of Δ², and the variance of that mean. */
export function chargeOf(draws: ArrayLike<number>): Charge {
  const values = Array.from(draws);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) / values.length };
}

/** The upper end of the 95 % interval of E[Δ²]. */
export function upperEnd({ mean, variance }: Charge): number {
  return mean + STUDENT_T * Math.sqrt(variance);
}

/**
 * No adversary is right more often than this about a moved entity: Φ(½√ΣE[Δ²]) (DESIGN section 6).
 */
export function accuracyLimit(squared: number): number {
  return standardNormalCdf(Math.sqrt(squared) / 2);
}
