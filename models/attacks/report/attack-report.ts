import { LEAST_ACCURACY } from '../../certification/accuracy.js';
import { empiricalEpsilon } from '../../statistics/empirical-epsilon.js';
import {
  documentsOf,
  type Estimate,
  estimate,
  type Observation,
} from '../../statistics/estimate.js';
import { ofOrigins } from '../../statistics/origins.js';
import type { ScoredPair } from '../../statistics/roc.js';
import type { AttackContext, AttackReport, Curve } from '../attack.js';
import { ATTACK_IDS } from '../attack-ids.js';
import { isRight, pairStatistics } from '../likelihood/pair-statistics.js';
import type { Traits } from '../traits.js';
import { slicesOf } from './slices.js';

/** How one trial of an attack ended. */
export interface Outcome {
  readonly documentIndex: number;
  readonly success: boolean;
  /** Whether the truth was among the attacker's ten first guesses. */
  readonly inTopTen?: boolean;
  readonly inTopFive?: boolean;
  /**
   * How often guessing without the vectors is right in this trial: 0 or 1 where it was tried, or how
   * likely it is.
   */
  readonly guessed?: number;
  /** The most that any attack can succeed in this trial, on average. */
  readonly limit?: number | undefined;
  readonly traits?: Partial<Traits>;
}

type Heading = Pick<AttackReport, 'name' | 'attack' | 'description' | 'task'> &
  Partial<Pick<AttackReport, 'role' | 'curves' | 'settings' | 'shortened' | 'pairs'>>;

/**
 * The report of trials that are counted as right or wrong. `chance` is how often guessing is right,
 * or 'tried', where the outcomes say it.
 */
export function attackReport(
  heading: Heading,
  each: readonly Outcome[],
  guessing: number | 'tried',
  { comparisons, origins }: Pick<AttackContext, 'comparisons' | 'origins'>,
): AttackReport {
  const outcomes = ofOrigins(each, origins);
  const mean = (pick: (outcome: Outcome) => number, least = 0) =>
    estimate(observationsOf(outcomes, pick), comparisons, least);
  const all = (present: (outcome: Outcome) => unknown) =>
    outcomes.length > 0 && outcomes.every((outcome) => present(outcome) !== undefined);
  const guessed = ({ guessed = 0 }: Outcome) => (guessing === 'tried' ? guessed : guessing);
  const success = mean((outcome) => Number(outcome.success));
  const chance = guessing === 'tried' ? mean(guessed).value : guessing;
  const isPaired = guessing === 'tried' && outcomes.every(({ guessed }) => isOutcome(guessed));
  // A likelihood does not vary like a guess, and a success that is rare has an interval of its own.
  const gainOfSome = () =>
    isPaired
      ? twice(mean((outcome) => (1 + Number(outcome.success) - guessed(outcome)) / 2))
      : mapEstimate(success, (value) => value - chance);
  const gain = outcomes.length === 0 ? UNKNOWN_GAIN : gainOfSome();
  return {
    role: 'attack',
    pairs: null,
    curves: [],
    settings: {},
    shortened: null,
    ...heading,
    family: ATTACK_IDS[heading.attack],
    trials: outcomes.length,
    documents: documentsOf(outcomes),
    success,
    chance,
    gain,
    advantage: chance < 1 ? Math.min(1, gain.value / (1 - chance)) : 0,
    limit: all(({ limit }) => limit) ? mean(({ limit = 1 }) => limit, leastLimitOf(heading)) : null,
    topTen: all(({ inTopTen }) => inTopTen) ? mean(({ inTopTen }) => Number(inTopTen)) : null,
    ...(all(({ inTopFive }) => inTopFive) && {
      topFive: mean(({ inTopFive }) => Number(inTopFive)),
    }),
    slices: slicesOf(outcomes.map((outcome) => ({ ...outcome, value: Number(outcome.success) }))),
  };
}

/** Of a pair the limit is no less than what a coin gets right; of words it depends on how many there are. */
function leastLimitOf({ task }: Heading): number {
  return task === 'tell a pair apart' ? LEAST_ACCURACY : 0;
}

/** Without a trial it may be any. */
const UNKNOWN_GAIN: Estimate = { value: 0, interval: [-1, 1], corrected: [-1, 1] };

function isOutcome(guessed: number | undefined): boolean {
  return guessed === 0 || guessed === 1;
}

/** A mean over [0, 1] as one over [−1, 1]. */
function twice(estimate: Estimate): Estimate {
  return mapEstimate(estimate, (value) => 2 * value - 1);
}

function mapEstimate(
  { value, interval, corrected }: Estimate,
  to: (value: number) => number,
): Estimate {
  return {
    value: to(value),
    interval: [to(interval[0]), to(interval[1])],
    corrected: [to(corrected[0]), to(corrected[1])],
  };
}

/** A judged pair, its bound E[Φ(Δ/2)] and the traits of its token. */
export interface JudgedPair extends ScoredPair {
  readonly limit: number;
  /** Whether the release was about to be shared, so that it is of the same sentence in real pairs and in fake ones. */
  readonly isGiven?: boolean;
  readonly traits: Traits;
}

/**
 * The report of an attack on balanced pairs with one moved token; chance is one half. Pairs of given releases prove no
 * ε: how often two questions about one release are answered with yes bounds none.
 */
export function pairReport(
  heading: Heading,
  judged: readonly JudgedPair[],
  context: Pick<AttackContext, 'comparisons' | 'origins'>,
): AttackReport {
  const pairs = ofOrigins(judged, context.origins);
  const outcomes = judged.map((pair) => ({ ...pair, success: isRight(pair) }));
  const isGiven = judged.some((pair) => pair.isGiven);
  const epsilon = isGiven ? null : empiricalEpsilon(pairs);
  const statistics = { ...pairStatistics(pairs), epsilon };
  return attackReport({ ...heading, pairs: statistics }, outcomes, 0.5, context);
}

function observationsOf(
  outcomes: readonly Outcome[],
  pick: (outcome: Outcome) => number,
): Observation[] {
  return outcomes.map((outcome) => ({
    documentIndex: outcome.documentIndex,
    value: pick(outcome),
  }));
}

/** Success at each of some settings of `over`, from the same trials. */
export function curveOf(
  over: Curve['over'],
  settings: readonly number[],
  outcomesAt: (index: number) => readonly Outcome[],
  { origins }: Pick<AttackContext, 'origins'>,
): Curve {
  const points = settings.map((at, index) => {
    const outcomes = ofOrigins(outcomesAt(index), origins);
    const success = estimate(observationsOf(outcomes, (outcome) => Number(outcome.success)));
    const limited = outcomes.every(({ limit }) => limit !== undefined);
    const limit = outcomes.reduce((sum, outcome) => sum + (outcome.limit ?? 0), 0);
    return {
      at,
      success: success.value,
      interval: success.interval,
      limit: limited ? limit / outcomes.length : null,
    };
  });
  return { over, points };
}

/** `120 of 400 sentences`, where time ended the work early. */
export function shortenedTo(done: number, planned: number, unit: string): string | null {
  return done < planned ? `${done} of ${planned} ${unit}` : null;
}

/** `12 of up to 50 epochs`, where time rather than patience ended the learning. */
export function shortenedLearning(
  { epochs, bestEpoch }: { readonly epochs: number; readonly bestEpoch: number },
  { maxEpochs, patience }: { readonly maxEpochs: number; readonly patience: number },
): string | null {
  return epochs < maxEpochs && epochs - bestEpoch < patience
    ? `${epochs} of up to ${maxEpochs} epochs`
    : null;
}
