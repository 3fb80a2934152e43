import { SHARE } from '../../proto/schemas.js';
import type { TSchema } from '../../proto/typebox.js';
import { closedObject, pairOf, type TypeOf } from '../../proto/typed-schema.js';
import { standardNormalQuantile } from '../tensor/standard-normal.js';
import { betaQuantile, clopperPearson } from './binomial.js';
import type { Interval } from './bootstrap.js';
import { studentQuantile } from './student-quantile.js';

/** Of a mean of such values. */
export function estimateOf<S extends TSchema>(values: S) {
  return closedObject({
    value: values,
    /** 95 %. */
    interval: pairOf(values),
    /** The same, widened so that all attacks of an audit hold together with 95 % (Bonferroni). */
    corrected: pairOf(values),
  });
}
export const ESTIMATE = estimateOf(SHARE);

/** A mean over trials. */
export type Estimate = TypeOf<typeof ESTIMATE>;

/** One trial's contribution to a mean, in [0, 1]. */
export interface Observation {
  readonly documentIndex: number;
  readonly value: number;
}

const CONFIDENCE = 0.95;

/** Fewer documents than this say too little of how documents differ, for an audit and for a part of one. */
export const LEAST_DOCUMENTS = 5;

/**
 * Of fewer documents than this the interval of a mean of skewed values, such as bounds of pairs, is taken for too short:
 * a tail that stands in few documents is seldom seen in so few.
 */
export const ENOUGH_DOCUMENTS = 200;

/** Documents that the observations are of. */
export function documentsOf(observations: readonly { readonly documentIndex: number }[]): number {
  return new Set(observations.map(({ documentIndex }) => documentIndex)).size;
}

/**
 * The mean with its intervals. One document says nothing of how documents differ: then they are all
 * that a mean of values from `least` up can be. `comparisons` says how many attacks the verdict looks at; throws
 * a RangeError where it is less than 1.
 */
export function estimate(
  observations: readonly Observation[],
  comparisons = 1,
  least = 0,
): Estimate {
  if (!(comparisons >= 1))
    throw new RangeError(`found ${comparisons} comparisons; expected 1 or more`);
  const anything: Interval = [least, 1];
  if (observations.length === 0) return { value: least, interval: anything, corrected: anything };
  const value = observations.reduce((sum, each) => sum + each.value, 0) / observations.length;
  if (documentsOf(observations) === 1) return { value, interval: anything, corrected: anything };
  const within = (confidence: number): Interval => {
    return clusteredInterval(observations, { value, least }, confidence);
  };
  const interval = within(CONFIDENCE);
  const corrected = 1 - (1 - CONFIDENCE) / comparisons;
  return { value, interval, corrected: comparisons === 1 ? interval : within(corrected) };
}

/**
 * Clopper-Pearson’s interval, of what values have above `least` as a share of what they could,
 * for trials that are alike within a document: with the number of
 * independent trials that would vary as much as the documents do (Korn and Graubard 1998,
 * "Confidence Intervals for Proportions with Small Expected Number of Positive Counts"). Trials that
 * succeed or fail have the interval of `countedInterval`.
 */
function clusteredInterval(
  observations: readonly Observation[],
  { value, least }: { readonly value: number; readonly least: number },
  confidence: number,
): Interval {
  const range = 1 - least;
  const ofRange = ([low, high]: Interval): Interval => [least + range * low, least + range * high];
  if (observations.every((each) => each.value === 0 || each.value === 1))
    return ofRange(countedInterval(countedShareOf(trialCounts(observations)), confidence));
  const { variance, documents } = varianceOfMean(observations, value);
  if (variance === 0) return [value, value];
  const share = (value - least) / range;
  return ofRange(
    intervalOfShare(
      { share, variance: variance / range ** 2, documents, trials: Number.POSITIVE_INFINITY },
      confidence,
    ),
  );
}

/** A share of what could be, and how far that of as many documents varies. */
interface Share {
  readonly share: number;
  readonly variance: number;
  readonly documents: number;
  /** Of trials that succeed or fail, how many there are; infinitely many of values between. */
  readonly trials: number;
}

function intervalOfShare(
  { share, variance, documents, trials }: Share,
  confidence: number,
): Interval {
  const independent = variance === 0 ? trials : (share * (1 - share)) / variance;
  const size = Math.min(trials, independent) * fewDocuments(documents, confidence);
  const tail = (1 - confidence) / 2;
  return variance === 0
    ? clopperPearson(share * size, size, confidence)
    : [
        betaQuantile(tail, share * size, (1 - share) * size + 1),
        betaQuantile(1 - tail, share * size + 1, (1 - share) * size),
      ];
}

/** Successes in trials, of a document or of all. */
export interface TrialCounts {
  readonly trials: number;
  readonly successes: number;
}

/** Successes in trials, over documents. */
export interface CountedShare extends TrialCounts {
  /** With a trial; an interval is of two at least. */
  readonly documents: number;
  /** Over documents, the sum of (successes − trials · share of all)². */
  readonly squares: number;
  /** With a failure where at least half of all trials succeed, else with a success. */
  readonly differing: number;
}

/** Of counts a document; those without a trial say nothing. */
export function countedShareOf(counts: Iterable<TrialCounts>): CountedShare {
  const documents = [...counts].filter(({ trials }) => trials > 0);
  const trials = documents.reduce((sum, each) => sum + each.trials, 0);
  const successes = documents.reduce((sum, each) => sum + each.successes, 0);
  const isMostly = 2 * successes >= trials;
  const differing = documents.filter((each) =>
    isMostly ? each.successes < each.trials : each.successes > 0,
  );
  const squares = documents.reduce(
    (sum, each) => sum + (each.successes - (each.trials * successes) / trials) ** 2,
    0,
  );
  return {
    ...{ documents: documents.length, trials, successes },
    ...{ squares, differing: differing.length },
  };
}

/** Of each document that observations of 0 or 1 are of. */
function trialCounts(observations: readonly Observation[]): Iterable<TrialCounts> {
  const counts = new Map<number, { trials: number; successes: number }>();
  for (const { documentIndex, value } of observations) {
    const own = counts.get(documentIndex) ?? { trials: 0, successes: 0 };
    own.trials += 1;
    own.successes += value;
    counts.set(documentIndex, own);
  }
  return counts.values();
}

/** So few documents that differ say nothing of how many trials of one would go together in another. */
const FEW_DIFFERING = 3;

/**
 * Clopper-Pearson’s interval of trials that succeed or fail, which are never more independent trials than they are. Where
 * `FEW_DIFFERING` documents differ at most, how much the trials of one go together was not seen: then they are no more
 * independent trials than there are documents. Where none does, all succeed or all fail, and each document counts as one
 * trial, whatever there is of it.
 */
export function countedInterval(
  { documents, trials, successes, squares, differing }: CountedShare,
  confidence = CONFIDENCE,
): Interval {
  const share = successes / trials;
  if (differing === 0) return clopperPearson(share * documents, documents, confidence);
  const variance = varianceOf(squares, documents, trials);
  const independent = differing <= FEW_DIFFERING ? documents : trials;
  return intervalOfShare({ share, variance, documents, trials: independent }, confidence);
}

/** Var of a mean over documents as clusters, by linearisation of the ratio. */
function varianceOfMean(observations: readonly Observation[], mean: number) {
  const residuals = new Map<number, number>();
  for (const { documentIndex, value } of observations)
    residuals.set(documentIndex, (residuals.get(documentIndex) ?? 0) + value - mean);
  const documents = residuals.size;
  let squares = 0;
  for (const residual of residuals.values()) squares += residual ** 2;
  return { variance: varianceOf(squares, documents, observations.length), documents };
}

/** Of squared residuals of documents; 0 where these are no more than rounding. */
function varianceOf(squares: number, documents: number, trials: number): number {
  const correction = documents > 1 ? documents / (documents - 1) : 1;
  const tiny = 1e-18 * trials;
  return squares <= tiny ? 0 : (correction * squares) / trials ** 2;
}

/** (z / t)²: few documents say less of their own spread. */
function fewDocuments(documents: number, confidence: number): number {
  const z = standardNormalQuantile((1 + confidence) / 2);
  return (z / studentQuantile(documents - 1, confidence)) ** 2;
}
