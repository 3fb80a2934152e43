import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../../platform/progress.js';
import { Random } from '../tensor/random.js';

export interface RandomisationOptions {
  readonly seed: number;
  readonly trials?: number;
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

export const DEFAULT_TRIALS = 9999;

/** Between two of them a signal can come through. */
const TRIALS_A_PAUSE = 200;

/** Sums in another order differ in the last bits; equal differences must count as equal. */
const ROUNDING = 1e-12;

/** What two systems made of one document. */
export type Outcomes<T> = readonly [system: T, versus: T];

/**
 * How probable a difference at least as large is, for each statistic, if the two systems were alike
 * (Noreen 1989, approximate randomisation; two-sided). In each trial the outcomes of each document
 * are exchanged or not by the toss of a coin; p is (1 + trials that reach the difference) over
 * (1 + trials).
 */
export async function approximateRandomisation<T>(
  perDocument: readonly Outcomes<T>[],
  statistics: (sample: readonly T[]) => readonly number[],
  { seed, trials = DEFAULT_TRIALS, signal, progress }: RandomisationOptions,
): Promise<number[]> {
  const random = new Random(seed).fork('approximate randomisation');
  const differences = (outcomes: readonly Outcomes<T>[]) => {
    const one = statistics(outcomes.map(([first]) => first));
    const other = statistics(outcomes.map(([, second]) => second));
    return one.map((value, at) => Math.abs(value - (other[at] as number)));
  };
  const observed = differences(perDocument);
  const reached = observed.map(() => 0);
  for (let trial = 0; trial < trials; trial++) {
    if (trial % TRIALS_A_PAUSE === 0) {
      await setImmediate();
      signal?.throwIfAborted();
      progress?.({ step: 'testing significance', done: trial, total: trials, unit: 'trials' });
    }
    const shuffled = differences(
      perDocument.map(([a, b]): Outcomes<T> => (random.integer(2) === 0 ? [a, b] : [b, a])),
    );
    observed.forEach((difference, at) => {
      if ((shuffled[at] as number) >= difference - ROUNDING) reached[at] = (reached[at] ?? 0) + 1;
    });
  }
  progress?.({ step: 'testing significance', done: trials, total: trials, unit: 'trials' });
  return reached.map((count) => (count + 1) / (trials + 1));
}
