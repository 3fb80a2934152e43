import { setImmediate } from 'node:timers/promises';
import { scoped } from '../tensor/scoped.js';
import type { AttackContext } from './attack.js';

interface TrialsOptions {
  /** For people who watch. */
  readonly step: string;
  readonly unit: string;
  /** Run even where time is up; none by default. */
  readonly least?: number;
}

/** Runs trials in their order until the time is up; returns what those that ran came to. */
export async function overTrials<T, R>(
  trials: readonly T[],
  { step, unit, least = 0 }: TrialsOptions,
  { signal, expired, progress }: Pick<AttackContext, 'signal' | 'expired' | 'progress'>,
  run: (trial: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const [i, trial] of trials.entries()) {
    signal?.throwIfAborted();
    if (i >= least && expired?.()) break;
    progress?.({ step, done: i, total: trials.length, unit });
    results.push(scoped(() => run(trial, i)));
    await setImmediate();
  }
  return results;
}
