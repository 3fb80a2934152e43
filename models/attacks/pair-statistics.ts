import { type EmpiricalEpsilon, empiricalEpsilon } from './empirical-epsilon.js';
import {
  areaUnderRoc,
  type RocPoint,
  rocCurve,
  type ScoredPair,
  thinnedRoc,
  truePositivesAt,
} from './roc.js';

/** How well real and fake pairs were told apart, beyond the share of right answers. */
export interface PairStatistics {
  readonly auc: number;
  /** Reals found while at most 1 % (0.1 %) of the fakes are called real. */
  readonly truePositivesAt1Percent: number;
  readonly truePositivesAt01Percent: number;
  readonly epsilon: EmpiricalEpsilon;
  readonly roc: readonly RocPoint[];
}

export function pairStatistics(pairs: readonly ScoredPair[]): PairStatistics {
  const points = rocCurve(pairs);
  return {
    auc: areaUnderRoc(pairs),
    truePositivesAt1Percent: truePositivesAt(points, 0.01),
    truePositivesAt01Percent: truePositivesAt(points, 0.001),
    epsilon: empiricalEpsilon(pairs),
    roc: thinnedRoc(points),
  };
}

/** Whether the attacker's call of a pair is right. */
export function isRight({ score, real }: ScoredPair): boolean {
  return score >= 0 === real;
}
