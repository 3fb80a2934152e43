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
  return (-a * a) / 2 - 0.5 * Math.log(2 * Math.PI) - Math.log(fraction);
}

const BISECTIONS = 60;

/** The x at which Φ(x) is `probability`, within ±8. */
export function standardNormalQuantile(probability: number): number {
  let low = -TAIL;
  let high = TAIL;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (standardNormalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
