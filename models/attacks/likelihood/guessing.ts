import { binomialTail, hypergeometricAtMost } from '../../statistics/binomial.js';
import { standardNormalQuantile } from '../../tensor/standard-normal.js';
import type { AttackContext, AttackReport } from '../attack.js';

/** All attacks of an audit together raise a false alarm this often at most: one tail of 95 %. */
const ERROR = 0.025;
const CONFIDENT = standardNormalQuantile(1 - ERROR);

/** Four audits of five find an effect of the smallest size that counts as detectable. */
const POWER = 0.8;

type Comparisons = Pick<AttackContext, 'comparisons'>;

/** Where an attack is better than guessing: over all tries, or where it is surest of itself. */
export type Beyond = 'all tries' | '1 %' | '0.1 %';

const TAILS = [
  { beyond: '1 %', rate: 0.01, of: 'truePositivesAt1Percent' },
  { beyond: '0.1 %', rate: 0.001, of: 'truePositivesAt01Percent' },
] as const;

/** How likely an attacker who guesses would have done as well, in each of what the verdict looks at. */
type GuessingTest = { readonly beyond: Beyond; readonly p: number };

/**
 * The tests of an attack on pairs with one moved token. Which of these pairs are real is drawn, whatever
 * the notes are: so for who guesses, right answers are coins, and the reals among the highest scores are
 * drawn without replacement, in one document as in many. Reals that are found before k + 1 fakes are at
 * least x where the x + k highest scores hold at most k fakes.
 */
function pairTests({ success, trials, pairs }: AttackReport): GuessingTest[] {
  if (!pairs) return [];
  const { reals = Math.ceil(trials / 2) } = pairs;
  const fakes = trials - reals;
  const accuracy = binomialTail(Math.round(success.value * trials), trials, 0.5);
  const tails = TAILS.map(({ beyond, rate, of }) => {
    const found = Math.round(pairs[of] * reals);
    const alarms = Math.floor(rate * fakes);
    return { beyond, p: hypergeometricAtMost(alarms, found + alarms, fakes, trials) };
  });
  return [{ beyond: 'all tries', p: accuracy }, ...tails];
}

/**
 * Where guessing would hardly have done it, all attacks of the audit considered; the first of them, or
 * null. Each attack has an equal share of the error, and one on pairs shares its own out over its three
 * tests. Right answers must be too many for documents that differ, too.
 */
export function beyondGuessing(attack: AttackReport, { comparisons }: Comparisons): Beyond | null {
  const sure = attack.gain.corrected[0] > 0;
  if (!isOnPairs(attack)) return sure ? 'all tries' : null;
  const tests = pairTests(attack);
  const level = ERROR / comparisons / tests.length;
  const passed = tests.filter(({ beyond, p }) => p < level && (sure || beyond !== 'all tries'));
  return passed[0]?.beyond ?? null;
}

/** Whether guessing would hardly have done it, all attacks of the audit considered. */
export function beatsChance(attack: AttackReport, context: Comparisons): boolean {
  return beyondGuessing(attack, context) !== null;
}

/** What an attack does where it is surest of itself: reals found, at a rate of false alarms. */
export function atRate({ pairs }: AttackReport, beyond: Beyond): { found: number; rate: number } {
  const tail = TAILS.find((each) => each.beyond === beyond);
  return tail && pairs ? { found: pairs[tail.of], rate: tail.rate } : { found: 0, rate: 0 };
}

/**
 * Those that are better than guessing first, by what they surely gain over it as a share of what there is
 * to gain; then the others by how unlikely guessing makes what they did. So neither a few tries with luck
 * nor an attack that always answers alike leads the table.
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

const SMALLEST = 1e-300;

function standardErrors(p: number): number {
  return -standardNormalQuantile(Math.min(1 - Number.EPSILON, Math.max(SMALLEST, p)));
}

/**
 * The smallest share of right answers that an audit of as many tries would have told from guessing, four
 * times of five. Tries that guessing was tried on too differ from it as they did here.
 */
export function leastDetectable(attack: AttackReport, { comparisons }: Comparisons): number {
  const { trials, chance, gain, success } = attack;
  const level = ERROR / comparisons / Math.max(1, isOnPairs(attack) ? pairTests(attack).length : 1);
  const error = (gain.interval[1] - gain.interval[0]) / 2 / CONFIDENT;
  const isPaired = Math.abs(gain.interval[0] - (success.interval[0] - chance)) > 1e-9;
  if (!isPaired || error === 0) return leastRate(trials, chance, level);
  return Math.min(1, chance + (standardErrors(level) + standardErrors(1 - POWER)) * error);
}

/** The least rate at which so many trials succeed too often for `chance`, four times of five. */
function leastRate(trials: number, chance: number, level: number): number {
  const needed = leastWhere(0, trials + 1, (count) => binomialTail(count, trials, chance) < level);
  if (needed > trials) return 1;
  return leastWhere(0, 1e4, (rate) => binomialTail(needed, trials, rate / 1e4) >= POWER) / 1e4;
}

/** The least whole number from `low` up at which a condition that stays holds; `high` where none does. */
function leastWhere(low: number, high: number, holds: (value: number) => boolean): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Attacks on others compare themselves with a like attacker without the vectors. */
function isOnPairs({ task, pairs }: AttackReport): boolean {
  return task === 'tell a pair apart' && pairs !== null;
}
