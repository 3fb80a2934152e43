import type { Attack, AttackContext, AttackReport } from '../attack.js';
import { overTrials } from '../over-trials.js';
import { type JudgedPair, shortenedTo } from '../report/attack-report.js';
import { withinShare } from '../time-share.js';
import { listedPairReport, type NamedWord, nameWord, wordReport } from './named-word.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from './scorer.js';
import { tellTwins, twinsReport } from './told-twins.js';

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

/** With more pairs, the smallest effect that is found would hardly be smaller. */
const MOST_PAIRS = 4000;

/** The share of the draws that a pair gets whose word is not named: all N candidates are scored so often. */
const PAIR_DRAWS_SHARE = 1 / 4;

/** What all trials came to. */
interface Found {
  readonly named: readonly NamedWord[];
  /** Of all pairs, those of `named` first: the attacker knows one sentence, and a list of words. */
  readonly listed: readonly JudgedPair[];
  /** Of all pairs, at each number of releases: the attacker knows both sentences. */
  readonly twins: readonly (readonly JudgedPair[])[];
  readonly planned: { readonly words: number; readonly pairs: number };
  readonly releases: readonly number[];
  readonly settings: AttackReport['settings'];
}

/**
 * The attacker has the bundle, so f and both noise levels: with the rest of a sentence known, it
 * scores every candidate of one word by the likelihood of the released vectors, summed over
 * releases. It names the word (drawn uniformly from N candidates), and tells real pairs from fake
 * ones by the likelihood ratio, knowing one of the two sentences (`named-word.ts`) or both
 * (`told-twins.ts`).
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
      const scoring = { scorer, draws, releases: counts };
      const told = (what: string) => ({ step: `known noise, ${what}`, unit: 'sentences' });
      const twins = await overTrials(
        pairs,
        { ...told('twins'), least: 2 },
        withinShare(context, 1 / 3),
        (trial, i) => tellTwins(target, trial, distances[i], scoring, random.fork(`twins-${i}`)),
      );
      const named = await overTrials(words, { ...told('words'), least: 2 }, context, (trial, i) =>
        nameWord(target, trial, distances[i], scoring, random.fork(`trial-${i}`)),
      );
      const few = { scorer, draws: Math.ceil(PAIR_DRAWS_SHARE * draws), releases: [1] };
      const others = await overTrials(
        pairs.slice(words.length),
        told('pairs'),
        context,
        (trial, i) => {
          const at = words.length + i;
          return nameWord(target, trial, distances[at], few, random.fork(`trial-${at}`));
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

function reports(
  { named, listed, twins, planned, releases, settings }: Found,
  context: AttackContext,
): AttackReport[] {
  const { draws, likelihood } = settings;
  const shortened = {
    words: shortenedTo(named.length, planned.words, 'sentences'),
    pairs: shortenedTo(listed.length, planned.pairs, 'pairs'),
    twins: shortenedTo(twins.length, planned.pairs, 'pairs'),
  };
  const words = { settings, shortened: shortened.words };
  const pairs = { settings, shortened: shortened.pairs };
  const told = { settings: { draws, likelihood }, shortened: shortened.twins };
  return [
    wordReport(named, releases, words, context),
    listedPairReport(listed, named, releases, pairs, context),
    twinsReport(twins, releases, told, context),
  ];
}
