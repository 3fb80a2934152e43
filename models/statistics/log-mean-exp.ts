const LEAST_EXPONENT = -60;

/** log(mean(exp(values))), without overflow; −∞ for no values. */
export function logMeanExp(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (!(values[i] <= most)) most = values[i];
  if (most === Number.NEGATIVE_INFINITY) return most;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const away = values[i] - most;
    // A smaller one changes no digit of a sum that is at least 1.
    if (!(away < LEAST_EXPONENT)) sum += Math.exp(away);
  }
  return most + Math.log(sum / values.length);
}
