import type { AttackReport } from '../attack.js';

/**
 * Whether an attack, as far as it was tried on the word vectors themselves, did better there than
 * guessing. One that did not finds nothing where there is everything to find: its failure on a
 * representation says nothing, on these notes.
 */
export function isCalibrated(
  { name }: Pick<AttackReport, 'name'>,
  baselines: readonly AttackReport[],
): boolean {
  const upper = baselines.find((baseline) => baseline.name === `${name}-raw-embeddings`);
  return upper === undefined || upper.gain.interval[0] > 0;
}
