import { Random } from '../tensor/random.js';

export interface BootstrapOptions {
  /** Equal seeds draw the same samples whatever the statistic. */
  readonly seed: number;
  readonly resamples?: number;
}

const TAIL = 0.025;

/**
 * The 95 % percentile interval of a statistic of the documents (Efron and Tibshirani 1993, chapter
 * 13): documents are drawn with replacement, as many as there are, `resamples` times.
 */
export function bootstrapInterval<T>(
  perDocument: readonly T[],
  statistic: (sample: readonly T[]) => number,
  { seed, resamples = 1000 }: BootstrapOptions,
): [low: number, high: number] {
  if (perDocument.length === 0) return [0, 0];
  const random = new Random(seed).fork('bootstrap');
  const draws = Array.from({ length: resamples }, () =>
    statistic(perDocument.map(() => perDocument[random.integer(perDocument.length)] as T)),
  ).sort((a, b) => a - b);
  return [quantile(draws, TAIL), quantile(draws, 1 - TAIL)];
}

/** Linear between the order statistics. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}
