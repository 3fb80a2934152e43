import { logStandardNormalCdf, standardNormalCdf } from '../tensor/standard-normal.js';

/**
 * δ(ε) of Gaussian noise between means at `distance` in units of its standard deviation:
 * Φ(D/2 − ε/D) − e^ε Φ(−D/2 − ε/D) (Balle and Wang 2018, theorem 8), both terms in logarithms
 * since e^ε overflows long before their product does.
 */
export function gaussianDelta(distance: number, epsilon: number): number {
  const first = standardNormalCdf(distance / 2 - epsilon / distance);
  const second = Math.exp(epsilon + logStandardNormalCdf(-distance / 2 - epsilon / distance));
  return Math.max(0, first - second);
}

const BISECTIONS = 100;

/** The smallest ε that holds with `delta`; δ(ε) falls in ε. */
export function gaussianEpsilon(distance: number, delta: number): number {
  if (distance === 0 || gaussianDelta(distance, 0) <= delta) return 0;
  let low = 0;
  let high = 1;
  while (gaussianDelta(distance, high) > delta) high *= 2;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (gaussianDelta(distance, middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}
