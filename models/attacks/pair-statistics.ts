import { bootstrapIntervals, type Interval } from '../evaluation/bootstrap.js';
import { type EmpiricalEpsilon, empiricalEpsilon } from './empirical-epsilon.js';
import {
  areaUnder,
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
  /** 95 %, by bootstrap over documents. */
  readonly intervals: {
    readonly auc: Interval;
    readonly truePositivesAt1Percent: Interval;
    readonly truePositivesAt01Percent: Interval;
  };
  readonly epsilon: EmpiricalEpsilon;
  readonly roc: readonly RocPoint[];
}

const RESAMPLES = 200;

export function pairStatistics(pairs: readonly ScoredPair[]): PairStatistics {
  const points = rocCurve(pairs);
  const [auc, truePositivesAt1Percent, truePositivesAt01Percent] = rates(pairs);
  const intervals = bootstrapIntervals(byDocument(pairs), (sample) => rates(sample.flat()), {
    seed: 1,
    resamples: RESAMPLES,
  });
  return {
    auc,
    truePositivesAt1Percent,
    truePositivesAt01Percent,
    intervals: {
      auc: intervals[0],
      truePositivesAt1Percent: intervals[1],
      truePositivesAt01Percent: intervals[2],
    },
    epsilon: empiricalEpsilon(pairs),
    roc: thinnedRoc(points),
  };
}

/** Area, and true positives at 1 % and at 0.1 % false alarms; of pairs of one kind alone, guessing's. */
function rates(pairs: readonly ScoredPair[]): [number, number, number] {
  const reals = pairs.filter(({ real }) => real).length;
  if (reals === 0 || reals === pairs.length) return [0.5, 0, 0];
  const points = rocCurve(pairs);
  return [areaUnder(points), truePositivesAt(points, 0.01), truePositivesAt(points, 0.001)];
}

function byDocument(pairs: readonly ScoredPair[]): ScoredPair[][] {
  const documents = new Map<number, ScoredPair[]>();
  for (const pair of pairs) {
    const own = documents.get(pair.documentIndex) ?? [];
    own.push(pair);
    documents.set(pair.documentIndex, own);
  }
  return [...documents.values()];
}

/** Whether the attacker's call of a pair is right. */
export function isRight({ score, real }: ScoredPair): boolean {
  return score >= 0 === real;
}
