import type { Candidates } from '../embeddings/candidates.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from './examples.js';
import { isPhi, movablePositions, moveEveryToken } from './move.js';

export interface Pseudonymised {
  readonly examples: TextExample[];
  readonly phiTokens: number;
  /** PHI tokens that stayed as they were because nothing could stand in for them. */
  readonly immovable: number;
}

/**
 * The baseline of Friedrich et al. 2019, section 4.1: every PHI token becomes one of its N
 * neighbours, and the sentences are shuffled.
 */
export function pseudonymise(
  examples: readonly TextExample[],
  candidates: Candidates,
  random: Random,
): Pseudonymised {
  let phiTokens = 0;
  let immovable = 0;
  const moved = examples.map((example) => {
    const phi = example.ids.reduce((n, _, position) => n + (isPhi(example, position) ? 1 : 0), 0);
    phiTokens += phi;
    immovable += phi - movablePositions(example, candidates).length;
    return { ...example, ids: moveEveryToken(example, candidates, random) };
  });
  random.shuffle(moved);
  return { examples: moved, phiTokens, immovable };
}
