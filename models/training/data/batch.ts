import type { Random } from '../../tensor/random.js';

/** Batch size of Friedrich et al. 2019, Table 1. */
export const BATCH_SENTENCES = 32;

interface Labelled {
  readonly labels: Uint8Array;
  /** What it counts in a loss; 1 without it. */
  readonly weight?: number;
}

/** Padded sentences: B of them, T = the longest. Padding has label 0 and id −1. */
export interface Batch<E extends Labelled = Labelled> {
  readonly examples: readonly E[];
  readonly steps: number;
  /** [B] */
  readonly lengths: Int32Array;
  /** [B·T] */
  readonly labels: Int32Array;
  /** Sum of the lengths. */
  readonly tokens: number;
  /** [B], what each sentence counts in a loss, where not all count 1. */
  readonly weights?: Float32Array | undefined;
}

/** Sum of the lengths. */
export function tokensOf(examples: Iterable<Labelled>): number {
  let tokens = 0;
  for (const { labels } of examples) tokens += labels.length;
  return tokens;
}

export function batchOf<E extends Labelled>(examples: readonly E[]): Batch<E> {
  const lengths = Int32Array.from(examples, ({ labels }) => labels.length);
  const steps = Math.max(...lengths);
  const labels = new Int32Array(examples.length * steps);
  examples.forEach((example, row) => {
    labels.set(example.labels, row * steps);
  });
  return {
    examples,
    steps,
    lengths,
    labels,
    tokens: tokensOf(examples),
    weights: weightsOf(examples),
  };
}

function weightsOf(examples: readonly Labelled[]): Float32Array | undefined {
  if (examples.every(({ weight = 1 }) => weight === 1)) return undefined;
  return Float32Array.from(examples, ({ weight = 1 }) => weight);
}

/** Sum of the lengths, each times its sentence's weight. */
export function weightedTokens({ lengths, tokens, weights }: Batch): number {
  if (!weights) return tokens;
  return lengths.reduce((sum, length, row) => sum + length * (weights[row] as number), 0);
}

/** Vocabulary ids [B·T] of sentences padded to `steps` with −1. */
export function paddedIds(sentences: readonly Int32Array[], steps: number): Int32Array {
  const ids = new Int32Array(sentences.length * steps).fill(-1);
  sentences.forEach((sentence, row) => {
    ids.set(sentence, row * steps);
  });
  return ids;
}

/** [B·T·D] of sentences padded to `steps` with zeros. */
export function paddedVectors(
  sentences: readonly Float32Array[],
  steps: number,
  dimension: number,
): Float32Array {
  const vectors = new Float32Array(sentences.length * steps * dimension);
  sentences.forEach((sentence, row) => {
    vectors.set(sentence, row * steps * dimension);
  });
  return vectors;
}

/** Batches shuffled together before they are cut, so that each holds sentences of like length. */
const BUCKET_BATCHES = 32;

/**
 * Cuts sentences into batches of `size` for one epoch: shuffled, then sorted by length within
 * buckets of some batches, then the batches shuffled. Without `random`: sorted by length alone.
 */
export function* lengthBuckets<E extends Labelled>(
  examples: readonly E[],
  size: number,
  random?: Random,
): Generator<Batch<E>> {
  const order = [...examples];
  random?.shuffle(order);
  const bucket = random ? size * BUCKET_BATCHES : order.length;
  const groups: E[][] = [];
  for (let from = 0; from < order.length; from += bucket) {
    const sorted = order
      .slice(from, from + bucket)
      .sort((a, b) => a.labels.length - b.labels.length);
    for (let at = 0; at < sorted.length; at += size) groups.push(sorted.slice(at, at + size));
  }
  random?.shuffle(groups);
  for (const group of groups) yield batchOf(group);
}

/** Batches without end, in another order each time round; none where there are no sentences. */
export function* cycledBuckets<E extends Labelled>(
  examples: readonly E[],
  size: number,
  random: Random,
): Generator<Batch<E>> {
  while (examples.length > 0) yield* lengthBuckets(examples, size, random);
}

/** A batch whose first `wanted` sentences are those that every batch must have some of. */
export interface StratifiedBatch<E extends Labelled> {
  readonly batch: Batch<E>;
  readonly wanted: number;
}

/**
 * Batches in which the share of wanted sentences is the same throughout, so that every batch has
 * pairs for the adversary. Where fewer are wanted than there would be batches, batches are larger.
 */
export function* stratifiedBatches<E extends Labelled>(
  examples: readonly E[],
  isWanted: (example: E) => boolean,
  size: number,
  random: Random,
): Generator<StratifiedBatch<E>> {
  const yes = examples.filter(isWanted);
  const no = examples.filter((example) => !isWanted(example));
  const count = Math.min(Math.ceil(examples.length / size), yes.length);
  const yesBatches = spread(yes, count, random);
  const noBatches = spread(no, count, random);
  const order = Array.from({ length: count }, (_, i) => i);
  random.shuffle(order);
  for (const i of order) {
    yield { batch: batchOf([...yesBatches[i], ...noBatches[i]]), wanted: yesBatches[i].length };
  }
}

/** Deals examples out over `count` groups of like size and, within a bucket, like length. */
function spread<E extends Labelled>(examples: readonly E[], count: number, random: Random): E[][] {
  const order = [...examples];
  random.shuffle(order);
  const groups: E[][] = [];
  for (let from = 0; from < count; from += BUCKET_BATCHES) {
    const to = Math.min(count, from + BUCKET_BATCHES);
    const share = order
      .slice(Math.round((order.length * from) / count), Math.round((order.length * to) / count))
      .sort((a, b) => a.labels.length - b.labels.length);
    for (let group = 0; group < to - from; group++) {
      const at = (index: number) => Math.round((share.length * index) / (to - from));
      groups.push(share.slice(at(group), at(group + 1)));
    }
  }
  return groups;
}
