import { consume } from '../tensor/consume.js';
import { addSecureNoise } from '../tensor/secure-noise.js';
import * as tf from '../tensor/tf.js';
import type { Representation } from './representation.js';
import type { TokenWords } from './token-inputs.js';

/** Eighty of the LSTM kernel's tiles: what a pass costs beside its kernels is shared by many. */
const BATCH_SENTENCES = 480;
/** With padding: what a pass makes of them stays near the processor, however long the sentences are. */
const BATCH_TOKENS = 8192;

/** Takes the release of sentence number `sentence`, [T·d], a view that is valid until it returns. */
export type ReleaseVisitor = (sentence: number, vectors: Float32Array) => void;

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
  const releases = new Array<Float32Array>(sentences.length);
  releaseEach(representation, vocabulary, sentences, (sentence, vectors) => {
    releases[sentence] = vectors.slice();
  });
  return releases;
}

/** As `release`, one after another, the short ones first. */
export function releaseEach(
  representation: Representation,
  vocabulary: TokenWords,
  sentences: readonly Int32Array[],
  visit: ReleaseVisitor,
): void {
  const order = sentences
    .map((_, i) => i)
    .sort((a, b) => sentences[a].length - sentences[b].length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const fits = (end: number) => (end - from) * sentences[order[end - 1]].length <= BATCH_TOKENS;
    const most = Math.min(order.length, from + BATCH_SENTENCES);
    for (to = from + 1; to < most && fits(to + 1); ) to++;
    const batch = order.slice(from, to);
    const ids = batch.map((i) => sentences[i]);
    releaseBatch(representation, vocabulary, ids, (row, vectors) => visit(batch[row], vectors));
  }
}

function releaseBatch(
  representation: Representation,
  vocabulary: TokenWords,
  sentences: readonly Int32Array[],
  visit: ReleaseVisitor,
): void {
  const { dimension: d } = representation.config;
  const B = sentences.length;
  const T = Math.max(...sentences.map((ids) => ids.length));
  const lengths = Int32Array.from(sentences, (ids) => ids.length);
  const ids = new Int32Array(B * T).fill(-1);
  sentences.forEach((sentence, row) => {
    ids.set(sentence, row * T);
  });
  const vectors = tf.tidy(() => {
    const x = representation.embed(vocabulary, ids, T); // [B, T, I]
    return noisyMean(representation, x, lengths);
  });
  consume(vectors, (values) => {
    sentences.forEach((sentence, row) => {
      visit(row, values.subarray(row * T * d, (row * T + sentence.length) * d));
    });
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
