import type { View } from '../networks/view.js';
import { logStandardNormalCdf, standardNormalCdf } from '../tensor/standard-normal.js';

/** What holds for any two texts whatever, from unit vectors and the output noise alone. */
export interface WorstCaseBound {
  readonly delta: number;
  readonly token: WorstCase;
  /** One word moves all vectors of its sentence. */
  readonly sentence: WorstCase & { readonly tokens: number };
}

export interface WorstCase {
  /** Greatest ‖(a − b)/σ_out‖₂ of the vectors that change. */
  readonly distance: number;
  readonly epsilon: number;
  /** The most that any test between two texts can be right: Φ(distance / 2). */
  readonly accuracy: number;
}

const DELTA = 1e-5;
const LONGEST_UNIT_DISTANCE = 2;

/**
 * The Gaussian mechanism on unit vectors, which a representation gives and raw embeddings are not: two of them lie at most 2 apart, so one token's vector at
 * most 2 / min σ_out in units of the noise, and those of a sentence of T tokens √T times that. Input
 * noise only helps. (ε, δ) by the analytic Gaussian mechanism.
 */
export function worstCaseBound(view: View, tokens: number): WorstCaseBound {
  const stddev = view.outputStddev();
  const least = Math.min(...stddev.dataSync<'float32'>());
  stddev.dispose();
  const worstCase = (distance: number): WorstCase => ({
    distance,
    epsilon: gaussianEpsilon(distance, DELTA),
    accuracy: standardNormalCdf(distance / 2),
  });
  const token = LONGEST_UNIT_DISTANCE / least;
  return {
    delta: DELTA,
    token: worstCase(token),
    sentence: { ...worstCase(token * Math.sqrt(tokens)), tokens },
  };
}

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
