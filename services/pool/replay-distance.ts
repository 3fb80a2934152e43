import type { NoiseLevel } from '../../models/bundle/manifest.js';

export interface DistanceOptions {
  /** Tokens whose vectors make up a point. */
  readonly tokens: number;
  /** That two honest releases lie nearer to each other, at most. */
  readonly probability: number;
}

const HALVINGS = 60;

/**
 * The squared distance below which two points are no two draws of the model's noise. The difference
 * of two releases is Gaussian with variance 2σ² in each of its T·d places, around the difference of
 * what was encoded; its squared norm Q is least where that is nothing. Chernoff's bound is weakest
 * where the noise lies in as few places as its largest σ allows, k = T Σσ² / max σ², and then
 *
 *   P(Q ≤ ρ · 2T Σσ²) ≤ exp(k/2 · (log ρ + 1 − ρ)).
 */
export function replayDistance(
  { max, sumOfSquares }: NoiseLevel,
  { tokens, probability }: DistanceOptions,
): number {
  const places = (tokens * sumOfSquares) / max ** 2;
  const logBound = (ratio: number) => (places / 2) * (Math.log(ratio) + 1 - ratio);
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (logBound(middle) <= Math.log(probability)) low = middle;
    else high = middle;
  }
  return low * 2 * tokens * sumOfSquares;
}
