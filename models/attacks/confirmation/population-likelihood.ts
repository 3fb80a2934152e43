import { groupedBy } from '../../../platform/grouped-by.js';
import { logMeanExp } from '../../statistics/log-mean-exp.js';
import type { Random } from '../../tensor/random.js';
import type { Window } from '../likelihood/window.js';
import type { Background } from './background.js';
import type { LabelledWindow } from './labelled-window.js';
import type { ReleasesOfLength } from './released-segment.js';

/** Pieces of the population that a release is compared with, at most; and at least, if longer ones are shortened. */
const MOST_PIECES = 128;
const LEAST_PIECES = 8;

/** log p(release), up to a constant, if it is of some piece of the population and not of the attacker's. */
export interface PopulationLikelihood {
  /** [K], of any piece of that length. */
  readonly ofLength: Float64Array;
  /** [K], of any with those labels. */
  readonly ofLabels: Float64Array;
}

/** log p(release k | piece v), [V·K], up to a constant. */
export type Likelihood = (pieces: readonly Window[]) => Float64Array;

/**
 * Each release is of one of the population's pieces of its length, all equally likely, or else, as likely
 * as not, of a piece that is like none of them.
 */
export function populationLikelihood(
  population: readonly LabelledWindow[],
  { labels, vectors }: ReleasesOfLength,
  likelihood: Likelihood,
  background: Background,
  random: Random,
): PopulationLikelihood {
  const length = labels[0]?.length ?? 0;
  const references = referencesOf(population, length, random);
  const K = vectors.length;
  const scores = references.length > 0 ? likelihood(references) : new Float64Array();
  const unlike = vectors.map((each) => background.logOf(each));
  const alike = groupedBy(references.keys(), (v) => `${references[v].labels}`);
  const mixture = (k: number, like: readonly number[]) =>
    like.length === 0
      ? undefined
      : logMeanExp([unlike[k], logMeanExp(like.map((v) => scores[v * K + k]))]);
  const all = [...references.keys()];
  const ofLength = Float64Array.from(unlike, (alone, k) => mixture(k, all) ?? alone);
  return {
    ofLength,
    ofLabels: ofLength.map((any, k) => mixture(k, alike.get(`${labels[k]}`) ?? []) ?? any),
  };
}

/** Pieces of a length; where there are few, longer ones whose last tokens are left out of their sentence as well. */
function referencesOf(
  population: readonly LabelledWindow[],
  length: number,
  random: Random,
): LabelledWindow[] {
  const drawn = (fits: (tokens: number) => boolean, most: number) => {
    const fitting = population.filter(({ labels }) => fits(labels.length));
    random.shuffle(fitting);
    return fitting.slice(0, Math.max(0, most));
  };
  const own = drawn((tokens) => tokens === length, MOST_PIECES);
  const longer = drawn((tokens) => tokens > length, LEAST_PIECES - own.length);
  return [...own, ...longer.map((each) => shortened(each, length))];
}

function shortened({ ids, labels, start, end }: LabelledWindow, length: number): LabelledWindow {
  return {
    ids: Int32Array.of(...ids.subarray(0, start + length), ...ids.subarray(end)),
    labels: labels.slice(0, length),
    start,
    end: start + length,
  };
}
