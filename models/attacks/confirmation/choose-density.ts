import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import { observeRepeatedly } from '../likelihood/observe.js';
import type { Scorer } from '../likelihood/scorer.js';
import type { AuditTarget } from '../target.js';

/** Sentences of the attacker's own that choose. */
const CHOOSING_SENTENCES = 64;

/**
 * Chooses the likelihood under which releases of the attacker's own sentences are likelier. Here likelihoods of
 * different sentences are compared with those of a population, so that their absolute values count.
 */
export function chooseDensity(
  { representation, vocabulary, validation }: AuditTarget,
  draws: number,
  random: Random,
): Scorer {
  const sum = { monteCarlo: 0, matched: 0 };
  const sentences = [...validation];
  random.shuffle(sentences);
  for (const { ids } of sentences.slice(0, CHOOSING_SENTENCES))
    scoped(() => {
      const observed = observeRepeatedly(representation, vocabulary, ids, 1, random);
      const found = likelihoods(representation, vocabulary, [ids], observed, draws, random);
      for (const scorer of ['monteCarlo', 'matched'] as const) sum[scorer] += found[scorer][0];
    });
  return sum.monteCarlo > sum.matched ? 'monteCarlo' : 'matched';
}
