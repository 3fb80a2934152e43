import { Random } from '../tensor/random.js';

export type Interval = readonly [low: number, high: number];

export interface BootstrapOptions {
  /** Equal seeds draw the same samples whatever the statistic. */
  readonly seed: number;
  readonly resamples?: number;
}

const TAIL = 0.025;

/** Samples of fewer documents are too much alike. */
const LEAST_DOCUMENTS = 10;

/**
 * The 95 % percentile intervals of statistics of the documents (Efron and Tibshirani 1993, chapter
 * 13): documents are drawn with replacement, as many as there are, `resamples` times; every statistic
 * is taken on the same samples. None of fewer than ten documents, of which they would be far too short, as they are to
 * some extent up to about thirty; and where hardly any document differs, as where nothing is missed, they are too short
 * whatever the number.
 */
export function bootstrapIntervals<T>(
  perDocument: readonly T[],
  statistics: (sample: readonly T[]) => readonly number[],
  { seed, resamples = 1000 }: BootstrapOptions,
): Interval[] {
  if (perDocument.length < LEAST_DOCUMENTS) return [];
  const random = new Random(seed).fork('bootstrap');
  const draws = Array.from({ length: resamples }, () =>
    statistics(perDocument.map(() => perDocument[random.integer(perDocument.length)] as T)),
  );
  return (draws[0] ?? []).map((_, at) => {
    const sorted = Float64Array.from(draws, (values) => values[at] as number).sort();
    return [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)];
  });
}

/** Linear between the order statistics. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}
