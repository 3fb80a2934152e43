import type { AttackReport } from '../attack.js';

/**
 * Whether the failure of an attack says anything. The same attack on the word vectors themselves, which
 * hide nothing, must do better than guessing: one that does not is too weak, or had too few notes, to
 * find anything in a representation. True where that was not tried.
 */
export function isCalibrated(
  { name }: Pick<AttackReport, 'name'>,
  baselines: readonly AttackReport[],
): boolean {
  const upper = baselines.find((baseline) => baseline.name === `${name}-raw-embeddings`);
  return upper === undefined || upper.gain.interval[0] > 0;
}
