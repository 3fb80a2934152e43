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
