import { betaQuantile } from './binomial.js';

/**
 * How many standard errors either way a `confidence` interval of a mean takes, by Student's t with
 * `degrees` of freedom: T² / (T² + ν) is Beta(1/2, ν/2) for ν degrees.
 */
export function studentQuantile(degrees: number, confidence: number): number {
  const rest = betaQuantile(1 - confidence, degrees / 2, 0.5);
  return Math.sqrt((degrees * (1 - rest)) / rest);
}
