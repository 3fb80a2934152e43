import {
  type BootstrapOptions,
  bootstrapIntervals,
  type Interval,
} from '../statistics/bootstrap.js';
import {
  type CountedShare,
  countedInterval,
  countedShareOf,
  type TrialCounts,
} from '../statistics/estimate.js';
import type { CountRow } from './count-columns.js';
import { headlines, ratios } from './headlines.js';
import { harmonicMean } from './score.js';
import type { Scores } from './scores.js';

/** Of fewer origins nothing is said of how far a score is off. */
export const LEAST_ORIGINS = 10;
/** Of fewer, intervals are said to be of too few: they miss more often than one in twenty. */
export const ENOUGH_ORIGINS = 30;

/** Each of two intervals, so that both hold at once with 95 % (Bonferroni). */
const OF_BOTH = 0.975;

/**
 * 95 % intervals of `headlines`, by their names, from a row of counts an origin: bootstrapped, of `ENOUGH_ORIGINS` that
 * have something to count, unless one ends at 0 or 1, since hardly any origin differs. There, and of fewer origins, a
 * ratio of counts has the interval of `countedInterval`, F1 what it is where precision and recall are at the ends of
 * theirs, and a macro mean none. None has one of fewer than `LEAST_ORIGINS`.
 */
export function scoreIntervals(
  rows: readonly CountRow[],
  scorer: (sample: readonly CountRow[]) => Scores,
  options: BootstrapOptions,
): Map<string, Interval> {
  if (rows.length < LEAST_ORIGINS) return new Map();
  const counted = countedShares(rows, scorer);
  const names = [...headlines(scorer(rows)).keys()];
  const drawn =
    rows.length < ENOUGH_ORIGINS
      ? []
      : bootstrapIntervals(rows, (sample) => [...headlines(scorer(sample)).values()], options);
  const bootstrapped = new Map(drawn.map((interval, at) => [names[at] as string, interval]));
  const found = new Map<string, Interval>();
  for (const name of names) {
    const interval = intervalOf(name, bootstrapped, counted);
    if (interval) found.set(name, interval);
  }
  return found;
}

function intervalOf(
  name: string,
  bootstrapped: ReadonlyMap<string, Interval>,
  counted: ReadonlyMap<string, CountedShare>,
): Interval | undefined {
  const isSound = (each: string) => {
    const [low, high] = bootstrapped.get(each) ?? [0, 1];
    return low > 0 && high < 1;
  };
  const isOfEnough = (each: string) => {
    const share = counted.get(each);
    return share === undefined || share.documents >= ENOUGH_ORIGINS;
  };
  const parts = name.endsWith('.f1')
    ? ['precision', 'recall'].map((part) => name.replace(/f1$/, part))
    : [name];
  if (parts.every((part) => isSound(part) && isOfEnough(part))) return bootstrapped.get(name);
  const shares = parts.flatMap((part) => counted.get(part) ?? []);
  if (shares.length < parts.length) return undefined;
  if (shares.some(({ documents }) => documents < LEAST_ORIGINS)) return undefined;
  const [one, other] = shares.map((share) =>
    countedInterval(share, shares.length === 1 ? undefined : OF_BOTH),
  ) as [Interval, Interval?];
  return other ? [harmonicMean(one[0], other[0]), harmonicMean(one[1], other[1])] : one;
}

/** Of each ratio of counts what its interval follows from, an origin being a document. */
function countedShares(
  rows: readonly CountRow[],
  scorer: (sample: readonly CountRow[]) => Scores,
): Map<string, CountedShare> {
  const counts = new Map(
    [...ratios(scorer(rows)).keys()].map((name) => [name, [] as TrialCounts[]]),
  );
  for (const row of rows)
    for (const [name, { part, whole }] of ratios(scorer([row])))
      counts.get(name)?.push({ successes: part, trials: whole });
  return new Map([...counts].map(([name, each]) => [name, countedShareOf(each)]));
}
