/** A token: how likely it is PHI to a de-identifier, and whether it is. */
export interface JudgedToken {
  /** Posterior that it is PHI. */
  readonly phi: number;
  readonly isPhi: boolean;
}

/** What a de-identifier finds where a token is PHI from a posterior on. */
export interface OperatingPoint {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
}

/**
 * The threshold with the greatest recall of PHI tokens whose precision is at least `precision`; undefined
 * where no threshold has that. Tokens of one posterior stand on one side of it.
 */
export function recallAtPrecision(
  tokens: readonly JudgedToken[],
  precision: number,
): OperatingPoint | undefined {
  const order = [...tokens].sort((a, b) => b.phi - a.phi);
  const all = tokens.filter(({ isPhi }) => isPhi).length;
  let best: OperatingPoint | undefined;
  let right = 0;
  for (const [i, { phi, isPhi }] of order.entries()) {
    if (isPhi) right++;
    if (order[i + 1]?.phi === phi) continue;
    const reached = right / (i + 1);
    if (reached >= precision && right > 0)
      best = { threshold: phi, precision: reached, recall: right / all };
  }
  return best;
}
