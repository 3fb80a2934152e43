import { setImmediate } from 'node:timers/promises';
import { namingBound, pairBound } from '../../certification/bounds.js';
import { logMeanExp } from '../../statistics/log-mean-exp.js';
import { meanOf } from '../../statistics/mean-of.js';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { Attack, AttackContext, AttackReport } from '../attack.js';
import {
  attackReport,
  curveOf,
  type JudgedPair,
  type Outcome,
  pairReport,
  shortenedTo,
} from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { withinShare } from '../time-share.js';
import { likelihoods } from './likelihoods.js';
import { guessFromList } from './list-guess.js';
import { observeRepeatedly } from './observe.js';
import { isRight } from './pair-statistics.js';
import { heldOption, judgedOption, moved, type PairTrial, pairTrials } from './pair-trials.js';

export interface KnownNoiseOptions {
  /** Words to name, at most. */
  readonly trials?: number;
  /** Of the shared trials, pairs to tell apart, at most. */
  readonly pairs?: number;
  /** Draws of the input noise that a likelihood is a mean over. */
  readonly draws?: number;
  /** Numbers of releases of one sentence that are averaged, ascending, 1 first. */
  readonly releases?: readonly number[];
}

const RELEASES = [1, 2, 4, 8, 16, 32, 64];

/** More pairs than these would find hardly smaller effects. */
const MOST_PAIRS = 4000;

/** Draws for a pair that is scored for no name: every candidate is scored as often. */
const PAIR_DRAWS_SHARE = 1 / 4;

/** Trials on the attacker's own validation notes that choose between the two likelihoods. */
const CHOOSING_TRIALS = 16;

/** Which of the two likelihoods an attack goes by. */
export type Scorer = 'monteCarlo' | 'matched';

/** What all trials came to. */
interface Found {
  readonly named: readonly NamingResult[];
  /** Of all pairs: the attacker knows the sentence but for one word, and that word's candidates. */
  readonly listed: readonly JudgedPair[];
  /** Of all pairs, at each number of releases: the attacker knows both sentences, nobody can know more. */
  readonly twins: readonly (readonly JudgedPair[])[];
  readonly planned: { readonly words: number; readonly pairs: number };
  readonly releases: readonly number[];
  readonly settings: AttackReport['settings'];
}

/** What one trial came to at each number of releases. */
interface NamingResult {
  readonly naming: readonly Outcome[];
  readonly listed: readonly JudgedPair[];
}

/**
 * The attacker has the bundle, so f and both noise levels: with the rest of a sentence known, it
 * scores every candidate of one word by the likelihood of the released vectors, summed over
 * releases. Names the word (drawn uniformly from N candidates), and tells real pairs from fake ones
 * by the likelihood ratio; of all attacks on pairs the one that knows both sentences is nearest to
 * the certified bound, and equal to it where there is no input noise.
 */
export function knownNoise({
  trials: mostWords = 400,
  pairs: mostPairs = MOST_PAIRS,
  draws = 16,
  releases = RELEASES,
}: KnownNoiseOptions = {}): Attack<Scorer, Found> {
  return {
    name: 'known-noise',
    minutes: 2,
    reports: 3,
    async prepare(target, { random }) {
      return chooseScorer(target, draws, random.fork('choose'));
    },
    async run(target, context, scorer) {
      const { random, distances } = context;
      const pairs = context.trials.slice(0, mostPairs);
      const words = pairs.slice(0, mostWords);
      const counts = target.released ? [1] : releases;
      const likelihood = { scorer, draws, releases: counts };
      const twins = await overTrials('twins', pairs, withinShare(context, 1 / 3), 2, (trial, i) =>
        tellTwins(target, trial, distances[i], likelihood, random.fork(`twins-${i}`)),
      );
      const named = await overTrials('words', words, context, 2, (trial, i) =>
        attempt(target, trial, distances[i], likelihood, random.fork(`trial-${i}`)),
      );
      const few = { scorer, draws: Math.ceil(PAIR_DRAWS_SHARE * draws), releases: [1] };
      const others = await overTrials(
        'pairs',
        pairs.slice(words.length),
        context,
        0,
        (trial, i) => {
          const at = words.length + i;
          return attempt(target, trial, distances[at], few, random.fork(`trial-${at}`));
        },
      );
      const settings = { draws, drawsOfOtherPairs: few.draws, likelihood: SCORER_NAMES[scorer] };
      return {
        named,
        listed: [...named, ...others].map(({ listed }) => listed[0]),
        twins,
        planned: { words: words.length, pairs: pairs.length },
        releases: counts,
        settings,
      };
    },
    report: reports,
  };
}

/** Each trial in its order, at least so many of them, until the time is up. */
async function overTrials<T>(
  what: string,
  trials: readonly PairTrial[],
  { signal, expired, progress }: AttackContext,
  least: number,
  run: (trial: PairTrial, index: number) => T,
): Promise<T[]> {
  const results: T[] = [];
  for (const [i, trial] of trials.entries()) {
    signal?.throwIfAborted();
    if (i >= least && expired?.()) break;
    progress?.({ step: `known noise, ${what}`, done: i, total: trials.length, unit: 'sentences' });
    results.push(scoped(() => run(trial, i)));
    await setImmediate();
  }
  return results;
}

export const SCORER_NAMES = {
  monteCarlo: 'mean over draws',
  matched: 'Gaussian of the draws’ mean and variance',
} as const;

/** How a release is scored, and how many of one sentence are. */
interface Likelihood {
  readonly scorer: Scorer;
  readonly draws: number;
  readonly releases: readonly number[];
}

/** Names the word among its candidates, and judges the pair knowing these. */
function attempt(
  { representation, vocabulary }: AuditTarget,
  trial: PairTrial,
  squared: ArrayLike<number>,
  { scorer, draws, releases }: Likelihood,
  random: Random,
): NamingResult {
  const { example, position, options, drawn, twin, real, released, traits } = trial;
  const { documentIndex } = example;
  const K = Math.max(...releases);
  const fresh = (ids: Int32Array) => observeRepeatedly(representation, vocabulary, ids, K, random);
  const named = released ? tf.tensor2d(released, [1, released.length]) : fresh(twin);
  const judgedApart = real && !released;
  const observed = judgedApart ? tf.concat2d([named, fresh(example.ids)], 0) : named;
  const sentences = Array.from(options, (id) => moved(example.ids, position, id));
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
      return { documentIndex, score, real, limit: pairBound(squared, count), traits };
    }),
  };
}

/** Judges the pair knowing both of its sentences. */
function tellTwins(
  { representation, vocabulary }: AuditTarget,
  trial: PairTrial,
  squared: ArrayLike<number>,
  { scorer, draws, releases }: Likelihood,
  random: Random,
): JudgedPair[] {
  const { example, twin, real, released, traits } = trial;
  const { documentIndex } = example;
  const sentences = [example.ids, twin];
  const judged = judgedOption(trial) === 0 ? 0 : 1;
  const held = heldOption(trial) === 0 ? 0 : 1;
  const K = Math.max(...releases);
  const observed = released
    ? tf.tensor2d(released, [1, released.length])
    : observeRepeatedly(representation, vocabulary, sentences[judged], K, random);
  const found = likelihoods(representation, vocabulary, sentences, observed, draws, random);
  return releases.map((count) => {
    const [one, other] = [held, 1 - held].map((v) => sumOf(found[scorer], v * K, count));
    const limit = pairBound(squared, count);
    return { documentIndex, score: one - other, real, limit, traits };
  });
}

function sumOf(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i];
  return sum;
}

/** How many others score higher; equal ones count by chance. */
function rankOf(scores: readonly number[], truth: number, random: Random): number {
  const higher = scores.filter((score) => score > scores[truth]).length;
  const equal = scores.filter((score) => score === scores[truth]).length;
  return higher + random.integer(equal);
}

/** The likelihood that gives the truth more of the posterior on the validation notes. */
export function chooseScorer(target: AuditTarget, draws: number, random: Random): Scorer {
  const { representation, vocabulary, validation } = target;
  const trials = pairTrials(target, validation, 1, random).slice(0, CHOOSING_TRIALS);
  const posterior = { monteCarlo: 0, matched: 0 };
  for (const { example, position, options, drawn, twin } of trials) {
    scoped(() => {
      const observed = observeRepeatedly(representation, vocabulary, twin, 1, random);
      const sentences = Array.from(options, (id) => moved(example.ids, position, id));
      const found = likelihoods(representation, vocabulary, sentences, observed, draws, random);
      for (const scorer of ['monteCarlo', 'matched'] as const)
        posterior[scorer] += found[scorer][drawn] - logMeanExp(found[scorer]);
    });
  }
  return posterior.monteCarlo > posterior.matched ? 'monteCarlo' : 'matched';
}

function reports(
  { named, listed, twins, planned, releases, settings }: Found,
  context: AttackContext,
): AttackReport[] {
  const judged = (pairs: readonly JudgedPair[]) =>
    pairs.map((pair) => ({ ...pair, success: isRight(pair) }));
  const curve = (outcomesAt: (i: number) => readonly Outcome[]) => [
    curveOf('releases', releases, outcomesAt),
  ];
  const words = named.map(({ naming }) => naming[0]);
  const guesses = context.trials.slice(0, named.length).map(({ options }) => 1 / options.length);
  return [
    attackReport(
      {
        settings,
        shortened: shortenedTo(named.length, planned.words, 'sentences'),
        name: 'known-noise-word',
        attack: 'known-noise-word',
        task: 'name the word',
        description:
          'knows the model and all of a sentence but one word, and names that word among its candidates by likelihood',
        curves: curve((i) => named.map(({ naming }) => naming[i])),
      },
      words,
      words.some(({ guessed }) => guessed !== undefined) ? 'tried' : meanOf(guesses),
      context,
    ),
    pairReport(
      {
        settings,
        shortened: shortenedTo(listed.length, planned.pairs, 'pairs'),
        name: 'known-noise-pair',
        attack: 'known-noise-pair',
        task: 'tell a pair apart',
        description:
          'knows the model and a sentence, and tells by likelihood whether a release is of it or has one word moved among its candidates',
        curves: curve((i) => judged(named.map((each) => each.listed[i]))),
      },
      listed,
      context,
    ),
    pairReport(
      {
        settings: { draws: settings.draws, likelihood: settings.likelihood },
        shortened: shortenedTo(twins.length, planned.pairs, 'pairs'),
        name: 'known-noise-twins',
        attack: 'known-noise-twins',
        task: 'tell a pair apart',
        description:
          'knows the model and both sentences of a pair, and tells by likelihood of which one a release is',
        curves: curve((i) => judged(twins.map((each) => each[i]))),
      },
      twins.map(([first]) => first),
      context,
    ),
  ];
}
