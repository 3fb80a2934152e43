import { logMeanExp } from '../../statistics/log-mean-exp.js';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import type { AuditTarget } from '../target.js';
import { likelihoods } from './likelihoods.js';
import { observeRepeatedly } from './observe.js';
import { pairTrials, withWord } from './pair-trials.js';

/** Which of the two likelihoods of `Likelihoods` an attack goes by. */
export type Scorer = 'monteCarlo' | 'matched';

export const SCORER_NAMES = {
  monteCarlo: 'mean over draws',
  matched: 'Gaussian of the draws’ mean and variance',
} as const;

/** How a release is scored, and how many of one sentence are. */
export interface Scoring {
  readonly scorer: Scorer;
  /** Draws of the input noise that a likelihood is a mean over. */
  readonly draws: number;
  /** Numbers of releases of one sentence that are averaged, ascending. */
  readonly releases: readonly number[];
}

/** Trials on the attacker's own validation notes that choose between the two likelihoods. */
const CHOOSING_TRIALS = 16;

/** Chooses the likelihood under which the true words of the validation notes have the greater posterior. */
export function chooseScorer(target: AuditTarget, draws: number, random: Random): Scorer {
  const { representation, vocabulary, validation } = target;
  const trials = pairTrials(target, validation, 1, random).slice(0, CHOOSING_TRIALS);
  const posterior = { monteCarlo: 0, matched: 0 };
  for (const { example, position, options, drawn, twin } of trials) {
    scoped(() => {
      const observed = observeRepeatedly(representation, vocabulary, twin, 1, random);
      const sentences = Array.from(options, (id) => withWord(example.ids, position, id));
      const found = likelihoods(representation, vocabulary, sentences, observed, draws, random);
      for (const scorer of ['monteCarlo', 'matched'] as const)
        posterior[scorer] += found[scorer][drawn] - logMeanExp(found[scorer]);
    });
  }
  return posterior.monteCarlo > posterior.matched ? 'monteCarlo' : 'matched';
}

/** The log-likelihood of independent releases, which adds up over them. */
export function sumOf(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i];
  return sum;
}
