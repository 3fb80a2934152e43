import { betaQuantile } from '../attacks/binomial.js';

/** Twice the tail of a 95 % interval. */
const OUTSIDE = 0.05;

/**
 * The 95 % interval of a mean over a few independent values, by Student's t. Its quantile follows
 * from the beta distribution: T² / (T² + ν) is Beta(1/2, ν/2) for ν degrees of freedom.
 */
export function studentInterval(values: readonly number[]): readonly [number, number] {
  const degrees = values.length - 1;
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const rest = betaQuantile(OUTSIDE, degrees / 2, 0.5);
  const t = Math.sqrt((degrees * (1 - rest)) / rest);
  const half = t * Math.sqrt(squares / degrees / values.length);
  return [mean - half, mean + half];
}
