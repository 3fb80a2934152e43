import { TacetError } from '../../proto/errors.js';

/** One mechanism, run again and again: a Gaussian on a Poisson sample. */
export interface SampledGaussian {
  /** q, the probability that a step sees a given text. */
  readonly samplingRate: number;
  /** σ, the noise's standard deviation by the most that one text can change the sum. */
  readonly noiseMultiplier: number;
  readonly steps: number;
}

export interface Guarantee {
  readonly epsilon: number;
  readonly delta: number;
}

/** Orders α of the Rényi divergence. At whole ones the divergence has a finite sum (`renyiDivergence`). */
const ORDERS = [
  ...Array.from({ length: 63 }, (_, i) => i + 2),
  ...[80, 96, 128, 192, 256, 384, 512],
];
const [LEAST_MULTIPLIER, MOST_MULTIPLIER] = [2 ** -12, 2 ** 12];

/**
 * RDP of order α, a whole number from 2 on, of the sampled Gaussian mechanism where one text more or less makes two
 * data sets neighbours (Mironov, Talwar and Zhang 2019, "Rényi differential privacy of the sampled Gaussian
 * mechanism", section 3.3):
 *
 *   ε(α) = T / (α − 1) · log Σ_k C(α, k) (1 − q)^(α−k) q^k exp((k² − k) / (2σ²))
 */
export function renyiDivergence(mechanism: SampledGaussian, order: number): number {
  const { samplingRate: q, noiseMultiplier: sigma, steps } = mechanism;
  if (q === 0) return 0;
  if (q === 1) return (steps * order) / (2 * sigma ** 2);
  const terms: number[] = [];
  let logBinomial = 0;
  for (let k = 0; k <= order; k++) {
    const drawn = logBinomial + k * Math.log(q) + (order - k) * Math.log1p(-q);
    terms.push(drawn + (k * k - k) / (2 * sigma ** 2));
    logBinomial += Math.log((order - k) / (k + 1));
  }
  return (steps * logSumExp(terms)) / (order - 1);
}

/**
 * The least ε at δ that the orders give, by the conversion of Canonne, Kamath and Steinke 2020 (proposition 12):
 *
 *   ε = ε(α) + log(1 − 1/α) − log(δ α) / (α − 1)
 */
export function epsilonOf(mechanism: SampledGaussian, delta: number): number {
  return leastEpsilon((order) => renyiDivergence(mechanism, order), delta);
}

/** The same of any divergence by order. */
export function leastEpsilon(
  divergence: (order: number) => number,
  delta: number,
  orders: readonly number[] = ORDERS,
): number {
  const bounds = orders.map(
    (order) => divergence(order) + Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1),
  );
  return Math.max(
    0,
    bounds.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY),
  );
}

/**
 * The least σ, to a thousandth of it, with which a mechanism keeps to ε at δ. Throws `config-invalid` where no
 * noise does.
 */
export function noiseMultiplierFor(
  { epsilon, delta }: Guarantee,
  mechanism: Omit<SampledGaussian, 'noiseMultiplier'>,
): number {
  const keeps = (noiseMultiplier: number) =>
    epsilonOf({ ...mechanism, noiseMultiplier }, delta) <= epsilon;
  let high = 0.5;
  while (!keeps(high)) {
    high *= 2;
    if (high > MOST_MULTIPLIER)
      throw new TacetError(
        'config-invalid',
        `no noise keeps ${mechanism.steps} steps to an epsilon of ${epsilon} at a delta of ${delta}; ` +
          'raise one of the two or train for fewer steps',
      );
  }
  let low = high / 2;
  while (low > LEAST_MULTIPLIER && keeps(low)) {
    high = low;
    low /= 2;
  }
  while (high - low > 0.001 * high) {
    const middle = (low + high) / 2;
    if (keeps(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function logSumExp(terms: readonly number[]): number {
  const most = Math.max(...terms);
  return most + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - most), 0));
}
