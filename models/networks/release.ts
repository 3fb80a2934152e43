import { consume } from '../tensor/consume.js';
import { addSecureNoise } from '../tensor/secure-noise.js';
import * as tf from '../tensor/tf.js';
import type { Representation } from './representation.js';
import type { TokenWords } from './token-inputs.js';

/** Eighty of the LSTM kernel's tiles: what a pass costs beside its kernels is shared by many. */
const BATCH_SENTENCES = 480;
/** With padding: what a pass makes of them stays near the processor, however long the sentences are. */
const BATCH_TOKENS = 8192;

/** Sentences behind each other, B of them. */
export interface SentenceRows {
  /** [ΣT], vocabulary ids. */
  readonly rows: Int32Array;
  /** [B + 1], where the tokens of each begin, and those of the last end. */
  readonly starts: Uint32Array;
}

/** Releases of b of those sentences. */
export interface ReleasedBatch {
  /** [b], their numbers. */
  readonly sentences: Uint32Array;
  /** T, of the longest. */
  readonly steps: number;
  /** [b, T, d]; what stands beyond the end of a sentence means nothing. */
  readonly vectors: Float32Array;
}

/** Takes a batch whose vectors are valid until it returns. */
export type ReleaseVisitor = (batch: ReleasedBatch) => void;

/**
 * One release of each sentence (vocabulary ids), [T·d] each, in the order given. Both noises come
 * from secure streams, keyed by the kernel; nothing can seed them or switch them off. Throws
 * `tensor-invalid` where a weight is not finite, `randomness-missing` where the kernel gives no key.
 */
export function release(
  representation: Representation,
  vocabulary: TokenWords,
  sentences: readonly Int32Array[],
): Float32Array[] {
  const { dimension: d } = representation.config;
  const releases = new Array<Float32Array>(sentences.length);
  const all = sentenceRows(sentences);
  releaseEach(representation, vocabulary, all, longestFirst(all), (batch) => {
    for (const [row, i] of batch.sentences.entries()) {
      const from = row * batch.steps * d;
      releases[i] = batch.vectors.slice(from, from + sentences[i].length * d);
    }
  });
  return releases;
}

/** As `release`, of the sentences that `order` names, longest first, batch after batch. */
export function releaseEach(
  representation: Representation,
  vocabulary: TokenWords,
  sentences: SentenceRows,
  order: Uint32Array,
  visit: ReleaseVisitor,
): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    const steps = lengthOf(sentences, order[from]);
    const most = Math.max(1, Math.floor(BATCH_TOKENS / Math.max(1, steps)));
    to = Math.min(order.length, from + most, from + BATCH_SENTENCES);
    const batch = order.subarray(from, to);
    const vectors = noisyVectors(representation, vocabulary, sentences, batch, steps);
    consume(vectors, (values) => visit({ sentences: batch, steps, vectors: values }));
  }
}

/** Copies of the sentences, behind each other. */
export function sentenceRows(sentences: readonly Int32Array[]): SentenceRows {
  const starts = new Uint32Array(shared(sentences.length + 1));
  for (const [i, { length }] of sentences.entries()) starts[i + 1] = starts[i] + length;
  const rows = new Int32Array(shared(starts[sentences.length]));
  for (const [i, ids] of sentences.entries()) rows.set(ids, starts[i]);
  return { rows, starts };
}

/** The numbers of the sentences, the longest first. */
export function longestFirst({ starts }: Pick<SentenceRows, 'starts'>): Uint32Array {
  const order = new Uint32Array(shared(starts.length - 1));
  const lengths = order.map((_, i) => starts[i + 1] - starts[i]);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.sort((a, b) => lengths[b] - lengths[a]);
}

/** For numbers of four bytes, which threads read beside each other. */
function shared(numbers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * numbers);
}

function lengthOf({ starts }: SentenceRows, sentence: number): number {
  return starts[sentence + 1] - starts[sentence];
}

/** [b, T, d] */
function noisyVectors(
  representation: Representation,
  vocabulary: TokenWords,
  { rows, starts }: SentenceRows,
  batch: Uint32Array,
  steps: number,
): tf.Tensor3D {
  const lengths = new Int32Array(batch.length);
  const ids = new Int32Array(batch.length * steps).fill(-1);
  for (let row = 0; row < batch.length; row++) {
    const from = starts[batch[row]];
    const length = starts[batch[row] + 1] - from;
    lengths[row] = length;
    for (let t = 0; t < length; t++) ids[row * steps + t] = rows[from + t];
  }
  return tf.tidy(() => {
    const x = representation.embed(vocabulary, ids, steps); // [b, T, I]
    return noisyMean(representation, x, lengths);
  });
}

/** R(x) [B, T, I] to [B, T, d], both noises from secure streams. */
function noisyMean(
  representation: Representation,
  x: tf.Tensor3D,
  lengths: Int32Array,
): tf.Tensor3D {
  const noisy = addSecureNoise(x, representation.inputStddev());
  const { mean, stddev } = representation.output(noisy, lengths); // [B, T, d]
  return representation.released(addSecureNoise(mean, stddev));
}

/** A representation for a tagger that reads a release of every sentence instead of f(E(x)). */
export function withNoise(
  representation: Representation,
): Pick<Representation, 'embed' | 'noiseless'> {
  return {
    embed: (...words) => representation.embed(...words),
    noiseless: (x, lengths) => noisyMean(representation, x, lengths),
  };
}
