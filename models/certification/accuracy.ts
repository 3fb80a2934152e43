import { standardNormalCdf } from '../tensor/standard-normal.js';

/** What a coin gets right, and the best test between two equal texts. */
export const LEAST_ACCURACY = 0.5;

/** The most that any test between Gaussians at distance √`squared` can be right: Φ(½√s). */
export function accuracyLimit(squared: number): number {
  return squared === Number.POSITIVE_INFINITY ? 1 : standardNormalCdf(Math.sqrt(squared) / 2);
}
