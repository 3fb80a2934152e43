import type { Candidates } from '../embeddings/candidates.js';
import type { Random } from '../tensor/random.js';

/** A sentence whose words can move. */
interface Sentence {
  /** [T] vocabulary ids */
  readonly ids: Int32Array;
  /** [T] label ids */
  readonly labels: Uint8Array;
}

/** Positions of the PHI tokens of a sentence that have something to move to. */
export function movablePositions(example: Sentence, candidates: Candidates): number[] {
  const positions: number[] = [];
  example.ids.forEach((id, position) => {
    if (isPhi(example, position) && candidates.of(id).length > 0) positions.push(position);
  });
  return positions;
}

/** Label 0 is O in every scheme. */
export function isPhi(example: Pick<Sentence, 'labels'>, position: number): boolean {
  return example.labels[position] !== 0;
}

/**
 * x' of a pair (x, x'): one of the movable PHI tokens, drawn uniformly, is replaced by one of its
 * candidates, drawn uniformly (itself included). Length, labels and casing stay.
 */
export function moveOneToken(
  example: Sentence,
  positions: readonly number[],
  candidates: Candidates,
  random: Random,
): { ids: Int32Array; position: number } {
  const position = positions[random.integer(positions.length)];
  const ids = example.ids.slice();
  ids[position] = candidates.draw(ids[position], random);
  return { ids, position };
}

/** Automatic pseudonymisation (Friedrich et al. 2019, section 4): every movable PHI token is moved. */
export function moveEveryToken(
  example: Sentence,
  candidates: Candidates,
  random: Random,
): Int32Array {
  const ids = example.ids.slice();
  for (const position of movablePositions(example, candidates)) {
    ids[position] = candidates.draw(ids[position], random);
  }
  return ids;
}

/**
 * The twin of a sentence where an entity is another one: each of its tokens becomes what `drawn` gives
 * for its word, the same for a word wherever it stands. Length, labels and casing stay.
 */
export function moveEntity(
  ids: Int32Array,
  tokens: readonly number[],
  drawn: (id: number) => number,
): Int32Array {
  const twin = ids.slice();
  for (const token of tokens) twin[token] = drawn(ids[token] as number);
  return twin;
}
