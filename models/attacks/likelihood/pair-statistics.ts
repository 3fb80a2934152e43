import { groupedBy } from '../../../platform/grouped-by.js';
import { NATURAL, SHARE } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, pairOf, type TypeOf } from '../../../proto/typed-schema.js';
import { bootstrapIntervals, type Interval } from '../../statistics/bootstrap.js';
import { EMPIRICAL_EPSILON } from '../../statistics/empirical-epsilon.js';
import {
  areaUnder,
  rocCurve,
  type ScoredPair,
  thinnedRoc,
  truePositivesAt,
} from '../../statistics/roc.js';

const PAIR_RATES = closedObject({
  auc: SHARE,
  /** Reals found while at most 1 % (0.1 %) of the fakes are called real. */
  truePositivesAt1Percent: SHARE,
  truePositivesAt01Percent: SHARE,
});
export type PairRates = TypeOf<typeof PAIR_RATES>;

export const PAIR_STATISTICS = closedObject({
  ...PAIR_RATES.properties,
  /** 95 %, by bootstrap over documents. */
  intervals: closedObject({
    auc: pairOf(SHARE),
    truePositivesAt1Percent: pairOf(SHARE),
    truePositivesAt01Percent: pairOf(SHARE),
  }),
  /** How many of the pairs are real; half of them where it is not stated. */
  reals: Type.Optional(NATURAL),
  /** How many are fake; all others where it is not stated. */
  fakes: Type.Optional(NATURAL),
  /** The same by a like attacker without the vectors, where there is one. */
  blind: Type.Optional(PAIR_RATES),
  /**
   * Null but for pairs with one moved token, since the others differ in what is shared in clear, too, and where releases
   * were given: these are of one sentence in real pairs and in fake ones.
   */
  epsilon: Type.Union([Type.Null(), EMPIRICAL_EPSILON]),
  /** False and true positive rates. */
  roc: Type.Array(pairOf(SHARE)),
});

/** How well real and fake pairs were told apart, beyond the share of right answers. */
export type PairStatistics = TypeOf<typeof PAIR_STATISTICS>;

const RESAMPLES = 200;
const ANYTHING: Interval = [0, 1];

/**
 * Of pairs of one kind, as of none, nothing is known: their rates may be any, and they have no curve. So may the rates of
 * pairs of too few documents.
 */
export function pairStatistics(pairs: readonly ScoredPair[]): PairStatistics {
  const points = areOfOneKind(pairs) ? [] : rocCurve(pairs);
  const blind = pairs.flatMap((pair) =>
    pair.blind === undefined ? [] : { ...pair, score: pair.blind },
  );
  const [auc = ANYTHING, atOnePercent = ANYTHING, atOneInThousand = ANYTHING] = intervalsOf(pairs);
  return {
    ...rates(pairs),
    reals: pairs.filter(({ real }) => real).length,
    ...(blind.length === pairs.length && blind.length > 0 && { blind: rates(blind) }),
    intervals: {
      auc,
      truePositivesAt1Percent: atOnePercent,
      truePositivesAt01Percent: atOneInThousand,
    },
    epsilon: null,
    roc: thinnedRoc(points),
  };
}

/** Of the rates, in their order; none where nothing is known of them. */
function intervalsOf(pairs: readonly ScoredPair[]): readonly Interval[] {
  if (areOfOneKind(pairs)) return [];
  return bootstrapIntervals(
    [...groupedBy(pairs, ({ documentIndex }) => documentIndex).values()],
    (sample) => Object.values(rates(sample.flat())),
    { seed: 1, resamples: RESAMPLES },
  );
}

function areOfOneKind(pairs: readonly ScoredPair[]): boolean {
  return pairs.every(({ real }) => real === pairs[0].real);
}

/** Where all pairs are of one kind, the rates of guessing. */
function rates(pairs: readonly ScoredPair[]): PairRates {
  if (areOfOneKind(pairs))
    return { auc: 0.5, truePositivesAt1Percent: 0, truePositivesAt01Percent: 0 };
  const points = rocCurve(pairs);
  return {
    auc: areaUnder(points),
    truePositivesAt1Percent: truePositivesAt(points, 0.01),
    truePositivesAt01Percent: truePositivesAt(points, 0.001),
  };
}

/** Pairs with whether the attacker's call of them is right. */
export function withSuccess<P extends ScoredPair>(pairs: readonly P[]) {
  return pairs.map((pair) => ({ ...pair, success: isRight(pair) }));
}

/** Whether the attacker's call of a pair is right. */
export function isRight({ score, real }: ScoredPair): boolean {
  return score >= 0 === real;
}
