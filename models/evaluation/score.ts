/** True positives, false positives and false negatives. */
export interface Counts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

/** Ratios in [0, 1]; one whose denominator is zero is 0, as in the i2b2 2014 evaluation. */
export interface MeanScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface Score extends MeanScore, Counts {}

export const NO_COUNTS: Counts = { tp: 0, fp: 0, fn: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { tp: a.tp + b.tp, fp: a.fp + b.fp, fn: a.fn + b.fn };
}

export function scoreOf(counts: Counts): Score {
  const { tp, fp, fn } = counts;
  const precision = ratio(tp, tp + fp);
  const recall = ratio(tp, tp + fn);
  return { precision, recall, f1: harmonicMean(precision, recall), tp, fp, fn };
}

/** The mean of each ratio. */
export function meanScore(scores: readonly MeanScore[]): MeanScore {
  const mean = (pick: (score: MeanScore) => number) =>
    ratio(
      scores.reduce((sum, score) => sum + pick(score), 0),
      scores.length,
    );
  return {
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    f1: mean(({ f1 }) => f1),
  };
}

export function harmonicMean(precision: number, recall: number): number {
  return ratio(2 * precision * recall, precision + recall);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
