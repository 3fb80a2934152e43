import { groupedBy } from '../../../platform/grouped-by.js';
import type { Random } from '../../tensor/random.js';
import { type Batch, lengthBuckets, tokensOf } from './batch.js';
import type { PartlyReadExample, VectorExample } from './examples.js';

/** As many as a long sentence has. */
const TOKENS = 30;

/**
 * Batches of releases for one epoch. A release may be a piece of a sentence that was cut where its labels are rare
 * (`commonPieces`), and so tell by where it ends what stands in it, which no sentence does that is tagged later. So
 * pieces are joined, one behind the other as chance has it, to thirty tokens and more, for each epoch anew; what is read
 * as words, too, is whole as it is. A batch holds as much as `size` of the examples, on average.
 */
export function* joinedBuckets<E extends PartlyReadExample>(
  examples: readonly E[],
  size: number,
  random?: Random,
): Generator<Batch<VectorExample | E>> {
  const order = [...examples];
  random?.shuffle(order);
  const whole = order.filter(({ ids }) => ids !== undefined);
  const pieces = groupedBy(
    order.filter(({ ids }) => ids === undefined),
    ({ weight = 1 }) => weight,
  );
  const joined = [...pieces.values()].flatMap(joinedPieces);
  const all = [...whole, ...joined];
  const share = all.length / Math.max(1, examples.length);
  yield* lengthBuckets(all, Math.max(1, Math.round(size * share)), random);
}

/** Pieces of one weight, each joined to the one before until there are enough tokens. */
function joinedPieces(pieces: readonly VectorExample[]): VectorExample[] {
  const groups: VectorExample[][] = [];
  let tokens = TOKENS;
  for (const piece of pieces) {
    if (tokens >= TOKENS) {
      groups.push([]);
      tokens = 0;
    }
    groups.at(-1)?.push(piece);
    tokens += piece.labels.length;
  }
  return groups.map(joinedTo);
}

function joinedTo(pieces: readonly VectorExample[]): VectorExample {
  const [first] = pieces;
  if (pieces.length === 1) return first;
  const vectors = new Float32Array(pieces.reduce((sum, each) => sum + each.vectors.length, 0));
  const labels = new Uint8Array(tokensOf(pieces));
  let [value, token] = [0, 0];
  for (const piece of pieces) {
    vectors.set(piece.vectors, value);
    labels.set(piece.labels, token);
    value += piece.vectors.length;
    token += piece.labels.length;
  }
  return { vectors, labels, ...(first.weight !== undefined && { weight: first.weight }) };
}
