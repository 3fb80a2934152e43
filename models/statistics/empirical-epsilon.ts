import { NATURAL, SHARE } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { clopperPearsonLower, clopperPearsonUpper } from './binomial.js';
import type { ScoredPair } from './roc.js';

export const EMPIRICAL_EPSILON = closedObject({
  /** No (ε, δ) below this ε can hold for such pairs, with the stated confidence. */
  epsilon: Type.Number({ minimum: 0 }),
  delta: SHARE,
  confidence: SHARE,
  /** Thresholds that were tried, both ways round; the confidence covers all of them together. */
  thresholds: NATURAL,
});
export type EmpiricalEpsilon = TypeOf<typeof EMPIRICAL_EPSILON>;

/** Fixed before any score is seen, in log-odds. */
const LOG_ODDS = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12];
const THRESHOLDS = [0, ...LOG_ODDS, ...LOG_ODDS.map((value) => -value)];

/**
 * The lower limit on ε that an attack proves: under (ε, δ) differential privacy every test has
 * TPR ≤ e^ε FPR + δ, and so do its negatives the other way round (Kairouz, Oh and Viswanath 2015).
 * Rates are taken at the worse ends of one-sided Clopper-Pearson intervals (Jagielski et al. 2020,
 * "Auditing Differentially Private Machine Learning", section 4), whose error is split over both
 * rates, both directions and all thresholds. Pairs count as independent trials: the notes are given,
 * and what is random is each release's own noise and the draw of its twin.
 */
export function empiricalEpsilon(
  pairs: readonly ScoredPair[],
  { delta = 1e-5, confidence = 0.95 } = {},
): EmpiricalEpsilon {
  const each = 1 - (1 - confidence) / (4 * THRESHOLDS.length);
  const reals = pairs.filter(({ real }) => real).map(({ score }) => score);
  const fakes = pairs.filter(({ real }) => !real).map(({ score }) => score);
  let epsilon = 0;
  const proves = (hits: number, of: number, alarms: number, among: number) => {
    if (Math.log(hits / of / (alarms / among)) <= epsilon) return 0;
    const rate = clopperPearsonLower(hits, of, each) - delta;
    return rate <= 0 ? 0 : Math.log(rate / clopperPearsonUpper(alarms, among, each));
  };
  for (const threshold of THRESHOLDS) {
    const found = reals.filter((score) => score >= threshold).length;
    const alarms = fakes.filter((score) => score >= threshold).length;
    epsilon = Math.max(
      epsilon,
      proves(found, reals.length, alarms, fakes.length),
      proves(fakes.length - alarms, fakes.length, reals.length - found, reals.length),
    );
  }
  return { epsilon, delta, confidence, thresholds: THRESHOLDS.length };
}
