import { namingBound, pairBound } from '../../certification/bounds.js';
import { logMeanExp } from '../../statistics/log-mean-exp.js';
import { meanOf } from '../../statistics/mean-of.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { AttackContext, AttackReport } from '../attack.js';
import {
  attackReport,
  curveOf,
  type JudgedPair,
  type Outcome,
  pairReport,
} from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { likelihoods } from './likelihoods.js';
import { guessFromList } from './list-guess.js';
import { observeRepeatedly } from './observe.js';
import { withSuccess } from './pair-statistics.js';
import { heldOption, type PairTrial, withWord } from './pair-trials.js';
import { rankOf } from './rank.js';
import { type Scoring, sumOf } from './scorer.js';

/** What one trial came to, at each number of releases. */
export interface NamedWord {
  /** Of the word, named among its candidates. */
  readonly naming: readonly Outcome[];
  /** Of the pair: the attacker knows the sentence but for the word, and the word's candidates. */
  readonly listed: readonly JudgedPair[];
}

/** Names the word among its candidates, and judges the pair by the same likelihoods. */
export function nameWord(
  { representation, vocabulary }: AuditTarget,
  trial: PairTrial,
  squared: ArrayLike<number>,
  { scorer, draws, releases }: Scoring,
  random: Random,
): NamedWord {
  const { example, position, options, drawn, twin, real, released, traits } = trial;
  const { documentIndex } = example;
  const K = Math.max(...releases);
  const fresh = (ids: Int32Array) => observeRepeatedly(representation, vocabulary, ids, K, random);
  const named = released ? tf.tensor2d(released, [1, released.length]) : fresh(twin);
  const judgedApart = real && !released;
  const observed = judgedApart ? tf.concat2d([named, fresh(example.ids)], 0) : named;
  const sentences = Array.from(options, (id) => withWord(example.ids, position, id));
  const found = likelihoods(representation, vocabulary, sentences, observed, draws, random);
  const width = observed.shape[0];
  const scores = (first: number, count: number) =>
    sentences.map((_, v) => sumOf(found[scorer], v * width + first, count));
  const held = heldOption(trial);
  const truth = released ? 0 : drawn;
  return {
    naming: releases.map((count) => {
      const rank = rankOf(scores(0, count), truth, random);
      const outcome = { documentIndex, success: rank === 0, inTopTen: rank < 10, traits };
      // The word that is shared was written: its list gives some of it away, and no limit holds for it.
      return released
        ? { ...outcome, guessed: Number(guessFromList(vocabulary, options, random) === truth) }
        : { ...outcome, limit: namingBound(found.distances, count) };
    }),
    listed: releases.map((count) => {
      const judged = scores(judgedApart ? K : 0, count);
      const score = judged[held] - logMeanExp(judged);
      const limit = pairBound(squared, count);
      return { documentIndex, score, real, limit, isGiven: released !== undefined, traits };
    }),
  };
}

/** The report of the words that were named. */
export function wordReport(
  named: readonly NamedWord[],
  releases: readonly number[],
  rest: Pick<AttackReport, 'settings' | 'shortened'>,
  context: AttackContext,
): AttackReport {
  const words = named.map(({ naming }) => naming[0]);
  const guesses = context.trials.slice(0, named.length).map(({ options }) => 1 / options.length);
  return attackReport(
    {
      ...rest,
      name: 'known-noise-word',
      attack: 'known-noise-word',
      task: 'name the word',
      description:
        'knows the model and all of a sentence but one word, and names that word among its candidates by likelihood',
      curves: [curveOf('releases', releases, (i) => named.map(({ naming }) => naming[i]), context)],
    },
    words,
    words.some(({ guessed }) => guessed !== undefined) ? 'tried' : meanOf(guesses),
    context,
  );
}

const GIVEN_LIST = '; a list of the candidates of the word that is shared gives some of it away';

/** The report of the pairs, the first of which are those of `named`. */
export function listedPairReport(
  listed: readonly JudgedPair[],
  named: readonly NamedWord[],
  releases: readonly number[],
  rest: Pick<AttackReport, 'settings' | 'shortened'>,
  context: AttackContext,
): AttackReport {
  return pairReport(
    {
      ...rest,
      name: 'known-noise-pair',
      attack: 'known-noise-pair',
      task: 'tell a pair apart',
      description: `knows the model and a sentence, and tells by likelihood whether a release is of it or has one word moved among its candidates${
        listed.some(({ isGiven }) => isGiven) ? GIVEN_LIST : ''
      }`,
      curves: [
        curveOf(
          'releases',
          releases,
          (i) => withSuccess(named.map((each) => each.listed[i])),
          context,
        ),
      ],
    },
    listed,
    context,
  );
}
