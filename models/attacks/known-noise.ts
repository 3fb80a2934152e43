import { setImmediate } from 'node:timers/promises';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import type { Attack, AttackContext, AttackReport } from './attack.js';
import {
  attackReport,
  curveOf,
  type JudgedPair,
  type Outcome,
  pairReport,
  shortenedTo,
} from './attack-report.js';
import { namingBound, pairBound } from './distances.js';
import { likelihoods } from './likelihoods.js';
import { logMeanExp } from './log-mean-exp.js';
import { observeRepeatedly } from './observe.js';
import { isRight } from './pair-statistics.js';
import { heldOption, moved, type PairTrial, pairTrials } from './pair-trials.js';
import type { AuditTarget } from './target.js';

export interface KnownNoiseOptions {
  /** At most so many of the shared trials. */
  readonly trials?: number;
  /** Draws of the input noise that a likelihood is a mean over. */
  readonly draws?: number;
  /** Numbers of releases of one sentence that are averaged, ascending, 1 first. */
  readonly releases?: readonly number[];
}

const RELEASES = [1, 2, 4, 8, 16, 32, 64];

/** Trials on the attacker's own validation notes that choose between the two likelihoods. */
const CHOOSING_TRIALS = 16;

/** Which of the two likelihoods an attack goes by. */
export type Scorer = 'monteCarlo' | 'matched';

/** What all trials came to. */
interface Found {
  readonly results: readonly TrialResult[];
  readonly planned: readonly PairTrial[];
  readonly releases: readonly number[];
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/** What one trial came to at each number of releases. */
interface TrialResult {
  readonly naming: readonly Outcome[];
  /** The attacker knows the sentence but for one word, and that word's candidates. */
  readonly listed: readonly JudgedPair[];
  /** The attacker knows both sentences: nobody can know more. */
  readonly both: readonly JudgedPair[];
}

/**
 * The attacker has the bundle, so f and both noise levels: with the rest of a sentence known, it
 * scores every candidate of one word by the likelihood of the released vectors, summed over
 * releases. Names the word (drawn uniformly from N candidates), and tells real pairs from fake ones
 * by the likelihood ratio; of all attacks on pairs the one that knows both sentences is nearest to
 * the certified bound, and equal to it where there is no input noise.
 */
export function knownNoise({
  trials: most = 400,
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
      const { random, expired, signal, progress } = context;
      const planned = context.trials.slice(0, most);
      const counts = target.released ? [1] : releases;
      const results: TrialResult[] = [];
      for (const [i, trial] of planned.entries()) {
        signal?.throwIfAborted();
        if (i > 1 && expired?.()) break;
        progress?.({ step: 'known noise', done: i, total: planned.length, unit: 'sentences' });
        const own = random.fork(`trial-${i}`);
        const squared = context.distances[i];
        results.push(scoped(() => attempt(target, trial, squared, counts, draws, scorer, own)));
        await setImmediate();
      }
      const settings = { draws, likelihood: SCORER_NAMES[scorer] };
      const shortened = shortenedTo(results.length, planned.length, 'sentences');
      return { results, planned, releases: counts, rest: { settings, shortened } };
    },
    report: reports,
  };
}

export const SCORER_NAMES = {
  monteCarlo: 'mean over draws',
  matched: 'Gaussian of the draws’ mean and variance',
} as const;

function attempt(
  { representation, vocabulary }: AuditTarget,
  trial: PairTrial,
  squared: ArrayLike<number>,
  releases: readonly number[],
  draws: number,
  scorer: Scorer,
  random: Random,
): TrialResult {
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
  const judged = releases.map((count) => scores(judgedApart ? K : 0, count));
  const held = heldOption(trial);
  const judge = (count: number, score: number): JudgedPair => {
    return { documentIndex, score, real, limit: pairBound(squared, count), traits };
  };
  return {
    naming: releases.map((count) => {
      const rank = rankOf(scores(0, count), released ? 0 : drawn, random);
      // The limit is for a word that was drawn uniformly; the one that is shared was written.
      const limit = released ? undefined : namingBound(found.distances, count);
      return { documentIndex, success: rank === 0, inTopTen: rank < 10, limit, traits };
    }),
    listed: releases.map((count, i) => judge(count, judged[i][held] - logMeanExp(judged[i]))),
    both: releases.map((count, i) =>
      judge(count, judged[i][held] - judged[i][held === 0 ? drawn : 0]),
    ),
  };
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
  { results, planned, releases, rest }: Found,
  context: AttackContext,
): AttackReport[] {
  const at = (kind: 'listed' | 'both') => (i: number) =>
    results.map((result) => ({ ...result[kind][i], success: isRight(result[kind][i]) }));
  const curve = (outcomesAt: (i: number) => readonly Outcome[]) => [
    curveOf('releases', releases, outcomesAt),
  ];
  const guesses = results.map((_, i) => 1 / planned[i].options.length);
  const chance = guesses.reduce((sum, guess) => sum + guess, 0) / results.length;
  return [
    attackReport(
      {
        ...rest,
        name: 'known-noise-word',
        task: 'name the word',
        description:
          'knows the model and all of a sentence but one word, and names that word among its candidates by likelihood',
        curves: curve((i) => results.map(({ naming }) => naming[i])),
      },
      results.map(({ naming }) => naming[0]),
      chance,
      context,
    ),
    pairReport(
      {
        ...rest,
        name: 'known-noise-pair',
        task: 'tell a pair apart',
        description:
          'knows the model and a sentence, and tells by likelihood whether a release is of it or has one word moved among its candidates',
        curves: curve(at('listed')),
      },
      results.map(({ listed }) => listed[0]),
      context,
    ),
    pairReport(
      {
        ...rest,
        name: 'known-noise-twins',
        task: 'tell a pair apart',
        description:
          'knows the model and both sentences of a pair, and tells by likelihood of which one a release is',
        curves: curve(at('both')),
      },
      results.map(({ both }) => both[0]),
      context,
    ),
  ];
}
