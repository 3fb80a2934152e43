/** What updates are like in which the attacked text has no part: of each weight the mean change and its variance. */
export interface Background {
  /** [N] */
  readonly mean: Float32Array;
  /** [N], over zero. */
  readonly variance: Float32Array;
}

/** How far the variance of a weight is drawn to the mean of all: a few updates say little of each. */
const SHRINKAGE = 0.5;
const LEAST_VARIANCE = 1e-20;

/** Of updates [N] of other texts, at least one. */
export function backgroundOf(updates: readonly Float32Array[]): Background {
  const size = updates[0]?.length ?? 0;
  const mean = new Float32Array(size);
  const own = new Float32Array(size);
  for (const update of updates)
    for (let i = 0; i < size; i++) (mean[i] as number) += (update[i] as number) / updates.length;
  const degrees = Math.max(updates.length - 1, 1);
  for (const update of updates)
    for (let i = 0; i < size; i++)
      (own[i] as number) += ((update[i] as number) - (mean[i] as number)) ** 2 / degrees;
  const common = own.reduce((sum, each) => sum + each, 0) / Math.max(size, 1);
  const variance = own.map((each) =>
    Math.max((1 - SHRINKAGE) * each + SHRINKAGE * common, LEAST_VARIANCE),
  );
  return { mean, variance };
}
