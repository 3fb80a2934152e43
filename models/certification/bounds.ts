/** What Δ of a pair says of every possible attacker (docs/theory.md): limits of accuracy, from draws of Δ². */
import { accuracyLimit } from './accuracy.js';

/**
 * The most that any test between x and x' can be right, from draws of Δ²: E[Φ(Δ/2)] for one release;
 * Φ(½√(k E[Δ²])) for k, a limit since each release has input noise of its own, the best test given
 * all of them is right with Φ(½√ΣΔᵢ²), and Φ(½√s) is concave in s.
 */
export function pairBound(squared: ArrayLike<number>, releases = 1): number {
  if (releases > 1) return accuracyLimit(releases * mean(squared));
  let sum = 0;
  for (let i = 0; i < squared.length; i++) sum += accuracyLimit(squared[i]);
  return sum / squared.length;
}

/**
 * The most that any attack can name a word that was drawn uniformly from N options, from draws of Δ²
 * between each option and one of them: 1/N + mean of (2 · pair bound − 1).
 */
export function namingBound(squared: readonly ArrayLike<number>[], releases = 1): number {
  const advantages = squared.reduce((sum, own) => sum + 2 * pairBound(own, releases) - 1, 0);
  return Math.min(1, (1 + advantages) / squared.length);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}
