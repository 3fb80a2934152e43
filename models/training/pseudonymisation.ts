import { moveEveryToken } from '../certification/move.js';
import type { Candidates } from '../embeddings/candidates.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from './examples.js';

/**
 * The baseline of Friedrich et al. 2019, section 4: every PHI token becomes one of its N
 * neighbours, and the sentences are shuffled.
 */
export function pseudonymise(
  examples: readonly TextExample[],
  candidates: Candidates,
  random: Random,
): TextExample[] {
  const moved = examples.map((example) => ({
    ...example,
    ids: moveEveryToken(example, candidates, random),
  }));
  random.shuffle(moved);
  return moved;
}

/** The notes as they are, followed by `copies` of them, each pseudonymised on its own. */
export function withPseudonymised(
  examples: readonly TextExample[],
  copies: number,
  candidates: Candidates,
  random: Random,
): TextExample[] {
  const added = Array.from({ length: copies }, () => pseudonymise(examples, candidates, random));
  return [...examples, ...added.flat()];
}
