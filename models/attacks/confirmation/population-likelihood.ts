import { groupedBy } from '../../../platform/grouped-by.js';
import { logMeanExp } from '../../statistics/log-mean-exp.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/examples.js';
import type { Background } from './background.js';
import type { ReleasesOfLength } from './released-segment.js';

/** Sentences of the population that a release is compared with, at most; and at least, if longer ones are cut. */
const MOST_SENTENCES = 128;
const LEAST_SENTENCES = 8;

/** log p(release), up to a constant, if it is of some sentence of the population and not of the attacker's. */
export interface PopulationLikelihood {
  /** [K], of any sentence of that length. */
  readonly ofLength: Float64Array;
  /** [K], of any with those labels. */
  readonly ofLabels: Float64Array;
}

/** log p(release k | sentence v), [V·K], up to a constant. */
export type Likelihood = (sentences: readonly Int32Array[]) => Float64Array;

/**
 * Each release is of one of the population's sentences of its length, all equally likely, or else, as likely
 * as not, of a sentence that is like none of them.
 */
export function populationLikelihood(
  population: readonly TextExample[],
  { labels, vectors }: ReleasesOfLength,
  likelihood: Likelihood,
  background: Background,
  random: Random,
): PopulationLikelihood {
  const length = labels[0]?.length ?? 0;
  const references = referencesOf(population, length, random);
  const K = vectors.length;
  const scores =
    references.length > 0 ? likelihood(references.map(({ ids }) => ids)) : new Float64Array();
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

/** Sentences of a length; where there are few, longer ones that are cut to it as well. */
function referencesOf(
  population: readonly TextExample[],
  length: number,
  random: Random,
): Pick<TextExample, 'ids' | 'labels'>[] {
  const drawn = (fits: (tokens: number) => boolean, most: number) => {
    const fitting = population.filter(({ ids }) => fits(ids.length));
    random.shuffle(fitting);
    return fitting.slice(0, Math.max(0, most));
  };
  const own = drawn((tokens) => tokens === length, MOST_SENTENCES);
  const cut = drawn((tokens) => tokens > length, LEAST_SENTENCES - own.length);
  return [
    ...own,
    ...cut.map(({ ids, labels }) => ({
      ids: ids.slice(0, length),
      labels: labels.slice(0, length),
    })),
  ];
}
