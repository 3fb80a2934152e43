/**
 * Whether an attack did better than somebody who guesses, and how sure that is. Two kinds of attack are
 * told apart. On pairs with one moved token the chances of a guesser are known exactly, and tests give
 * p-values. Every other attack compares itself with a like attacker that has no vectors, and its gain
 * over that one has an interval.
 */
import { binomialTail, hypergeometricAtMost } from '../../statistics/binomial.js';
import { standardNormalQuantile } from '../../tensor/standard-normal.js';
import type { AttackContext, AttackReport } from '../attack.js';
import type { PairStatistics } from '../likelihood/pair-statistics.js';

/**
 * How often an audit may find any of its attacks better than guessing where none is: the upper tail of
 * a 95 % interval.
 */
const FALSE_ALARM_RATE = 0.025;
/** Half the width of such an interval, in standard errors. */
const CONFIDENT = standardNormalQuantile(1 - FALSE_ALARM_RATE);

/** An effect counts as detectable where at least so many audits of its size would find it. */
const POWER = 0.8;

type Comparisons = Pick<AttackContext, 'comparisons'>;

/**
 * Where an attack is better than guessing: over all its tries, or among those that it is surest of,
 * which are as many as make it take 1 % (0.1 %) of the fakes for real.
 */
export type BetterWhere = 'all tries' | '1 %' | '0.1 %';

const TAILS = [
  { where: '1 %', rate: 0.01, of: 'truePositivesAt1Percent' },
  { where: '0.1 %', rate: 0.001, of: 'truePositivesAt01Percent' },
] as const;

interface GuessingTest {
  readonly where: BetterWhere;
  /** How likely it is that somebody who guesses does at least as well. */
  readonly p: number;
}

/**
 * The three tests of an attack on pairs. Which pairs are real was drawn at random, so for somebody who
 * guesses the number of right answers is binomial with 1/2, whatever the notes are.
 *
 * For the surest tries: say that x reals were found with at most k fakes among them. Then the x + k
 * pairs with the highest scores hold at most k fakes. For somebody who guesses these pairs are drawn
 * from all without replacement, so the number of fakes among them is hypergeometric.
 */
function pairTests({ success, trials, pairs }: AttackReport): GuessingTest[] {
  if (!pairs) return [];
  const accuracy = binomialTail(Math.round(success.value * trials), trials, 0.5);
  return [{ where: 'all tries', p: accuracy }, ...tailTests(trials, pairs)];
}

function tailTests(trials: number, pairs: PairStatistics): GuessingTest[] {
  const { reals = Math.ceil(trials / 2) } = pairs;
  const { fakes = trials - reals } = pairs;
  return TAILS.map(({ where, rate, of }) => {
    const found = Math.round(pairs[of] * reals);
    const alarms = Math.floor(rate * fakes);
    return { where, p: hypergeometricAtMost(alarms, found + alarms, fakes, reals + fakes) };
  });
}

/**
 * Where an attack did better than guessing, first over all tries, or null where it did not. The false
 * alarm rate is shared out equally over the `comparisons` attacks of the audit, and an attack on pairs
 * shares its own part out over its three tests. Over all tries it must also pass the interval, which
 * takes into account that documents differ. One that confirms is right where it passes its threshold, which
 * the notes that were not contributed set: it must pass the test of its surest tries as well.
 */
export function betterWhere(
  attack: AttackReport,
  { comparisons }: Comparisons,
): BetterWhere | null {
  const sure = attack.gain.corrected[0] > 0;
  if (isConfirming(attack)) {
    const [{ p }] = tailTests(attack.trials, attack.pairs);
    return sure && p < FALSE_ALARM_RATE / comparisons ? 'all tries' : null;
  }
  if (!isOnPairs(attack)) return sure ? 'all tries' : null;
  const tests = pairTests(attack);
  const level = FALSE_ALARM_RATE / comparisons / tests.length;
  const passed = tests.filter(({ where, p }) => p < level && (sure || where !== 'all tries'));
  return passed[0]?.where ?? null;
}

/** Whether an attack did better than guessing anywhere. */
export function beatsChance(attack: AttackReport, context: Comparisons): boolean {
  return betterWhere(attack, context) !== null;
}

/** The share of reals that an attack found among its surest tries, and the rate of fakes among them. */
export function surestTries(
  { pairs }: AttackReport,
  where: BetterWhere,
): { found: number; rate: number } {
  const tail = TAILS.find((each) => each.where === where);
  return tail && pairs ? { found: pairs[tail.of], rate: tail.rate } : { found: 0, rate: 0 };
}

/**
 * First the attacks that did better than guessing, by the lower end of their advantage; then the others,
 * by how many standard errors they lie above guessing. Lower ends, so that an attack with few tries and
 * some luck does not lead the table.
 */
export function strongestFirst(
  attacks: readonly AttackReport[],
  context: Comparisons,
): AttackReport[] {
  const ranks = new Map(
    attacks.map((attack) => [attack, beatsChance(attack, context) ? sureAdvantage(attack) : null]),
  );
  return [...attacks].sort((a, b) => {
    const [one, other] = [ranks.get(a) ?? null, ranks.get(b) ?? null];
    if (one !== null && other !== null) return other - one;
    if (one !== null || other !== null) return one === null ? 1 : -1;
    return evidence(b) - evidence(a) || b.gain.value - a.gain.value;
  });
}

/**
 * The lower end of an attack's gain over guessing, as a share of what there is to gain: over all tries,
 * or among the surest where that is more.
 */
function sureAdvantage(attack: AttackReport): number {
  const { gain, chance, pairs } = attack;
  const overall = chance < 1 ? gain.corrected[0] / (1 - chance) : 0;
  if (!isOnPairs(attack) || !pairs) return overall;
  return Math.max(overall, ...TAILS.map(({ rate, of }) => pairs.intervals[of][0] - rate));
}

/** Standard errors that an attack lies above guessing. */
function evidence(attack: AttackReport): number {
  const { gain } = attack;
  if (isOnPairs(attack)) return Math.max(...pairTests(attack).map(({ p }) => standardErrors(p)));
  const spread = gain.value > 0 ? gain.value - gain.interval[0] : gain.interval[1] - gain.value;
  return gain.value === 0 ? 0 : (CONFIDENT * gain.value) / Math.max(spread, Number.EPSILON);
}

const SMALLEST_P = 1e-300;

/** How many standard errors above its mean a normal value is that is exceeded with probability p. */
function standardErrors(p: number): number {
  return -standardNormalQuantile(Math.min(1 - Number.EPSILON, Math.max(SMALLEST_P, p)));
}

/**
 * The smallest share of right answers that an audit with as many tries of as many documents would find better than
 * guessing with probability `POWER`: one at which the interval of the gain, as wide as here, lies above 0, and, where
 * guessing was not tried on the same tries, binomial right answers are too many as well.
 */
export function leastDetectable(attack: AttackReport, { comparisons }: Comparisons): number {
  const { trials, chance, gain, success } = attack;
  const { value, interval, corrected } = gain;
  const level =
    FALSE_ALARM_RATE / comparisons / Math.max(1, isOnPairs(attack) ? pairTests(attack).length : 1);
  const error = (interval[1] - interval[0]) / 2 / CONFIDENT;
  const above = Math.max(value - corrected[0], corrected[1] - value);
  const byInterval = Math.min(1, chance + above + standardErrors(1 - POWER) * error);
  const isPaired = Math.abs(interval[0] - (success.interval[0] - chance)) > 1e-9;
  if (isPaired && error > 0) return byInterval;
  return Math.max(byInterval, leastRate(trials, chance, level));
}

/** The least rate at which so many trials succeed significantly more often than `chance`, with `POWER`. */
function leastRate(trials: number, chance: number, level: number): number {
  const needed = leastWhere(0, trials + 1, (count) => binomialTail(count, trials, chance) < level);
  if (needed > trials) return 1;
  return leastWhere(0, 1e4, (rate) => binomialTail(needed, trials, rate / 1e4) >= POWER) / 1e4;
}

/** By bisection the least whole number from `low` at which a condition begins to hold; `high` where none does. */
function leastWhere(low: number, high: number, holds: (value: number) => boolean): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isConfirming(
  attack: AttackReport,
): attack is AttackReport & { readonly pairs: PairStatistics } {
  const { task, pairs } = attack;
  return (task === 'confirm a sentence' || task === 'confirm a note') && pairs !== null;
}

function isOnPairs({ task, pairs }: AttackReport): boolean {
  return task === 'tell a pair apart' && pairs !== null;
}
