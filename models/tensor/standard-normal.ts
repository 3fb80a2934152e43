/** Beyond this many standard deviations Φ is 0 or 1 to the last bit that matters here. */
const TAIL = 8;

/** Φ(x), by the series x + x³/3 + x⁵/15 + … (Marsaglia 2004, "Evaluating the Normal Distribution"). */
export function standardNormalCdf(x: number): number {
  if (x < -TAIL) return 0;
  if (x > TAIL) return 1;
  let sum = x;
  let term = x;
  for (let i = 3; Math.abs(term) > Number.EPSILON * Math.abs(sum); i += 2) {
    term *= (x * x) / i;
    sum += term;
  }
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  return 0.5 + sum * density;
}

/** Below this, the series loses digits and the continued fraction converges fast. */
const FRACTION_FROM = -4;
const FRACTION_TERMS = 60;

/** log Φ(x), exact far into the lower tail: Laplace's continued fraction of Mills' ratio. */
export function logStandardNormalCdf(x: number): number {
  if (x > FRACTION_FROM) return Math.log(standardNormalCdf(x));
  const a = -x;
  let fraction = a;
  for (let i = FRACTION_TERMS; i >= 1; i--) fraction = a + i / fraction;
  return logDensity(x) - Math.log(fraction);
}

/** A step this small, as log Φ is not known well enough for smaller ones to mean anything. */
const CONVERGED = 1e-11;

/**
 * The x at which Φ(x) is `probability`, which lies between 0 and 1: by Newton's method on log Φ, which
 * is concave, so that every step but the first comes from below.
 */
export function standardNormalQuantile(probability: number): number {
  if (probability > 0.5) return -standardNormalQuantile(1 - probability);
  const target = Math.log(probability);
  let x = 0;
  for (let step = 1; Math.abs(step) > CONVERGED * Math.max(1, -x); ) {
    const log = logStandardNormalCdf(x);
    const slope = Math.exp(logDensity(x) - log);
    step = (target - log) / slope;
    x += step;
  }
  return x;
}

function logDensity(x: number): number {
  return (-x * x) / 2 - 0.5 * Math.log(2 * Math.PI);
}
