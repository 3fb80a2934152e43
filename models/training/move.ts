import type { Candidates } from '../embeddings/candidates.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from './examples.js';

/** Positions of the PHI tokens of a sentence that have something to move to. */
export function movablePositions(example: TextExample, candidates: Candidates): number[] {
  const positions: number[] = [];
  example.ids.forEach((id, position) => {
    if (isPhi(example, position) && candidates.of(id).length > 0) positions.push(position);
  });
  return positions;
}

/** Label 0 is O in every scheme. */
export function isPhi(example: { readonly labels: Uint8Array }, position: number): boolean {
  return example.labels[position] !== 0;
}

/**
 * x' of a pair (x, x'): one of the movable PHI tokens, drawn uniformly, is replaced by one of its
 * candidates, drawn uniformly (itself included). Length, labels and casing stay.
 */
export function moveOneToken(
  example: TextExample,
  positions: readonly number[],
  candidates: Candidates,
  random: Random,
): { ids: Int32Array; position: number } {
  const position = positions[random.integer(positions.length)];
  const ids = example.ids.slice();
  ids[position] = candidates.draw(ids[position], random);
  return { ids, position };
}

/** Automatic pseudonymisation (section 4.1 of the paper): every movable PHI token is moved. */
export function moveEveryToken(
  example: TextExample,
  candidates: Candidates,
  random: Random,
): Int32Array {
  const ids = example.ids.slice();
  for (const position of movablePositions(example, candidates)) {
    ids[position] = candidates.draw(ids[position], random);
  }
  return ids;
}
