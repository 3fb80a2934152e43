import * as tf from '../tf.js';

/** What attention is computed of. */
export interface AttentionInputs {
  /** [B, T, W], of every head D = W / heads numbers after those of the one before. */
  readonly queries: tf.Tensor3D;
  /** [B, T, W] */
  readonly keys: tf.Tensor3D;
  /** [B, T, W] */
  readonly values: tf.Tensor3D;
  /**
   * [heads, 2 R + 1]: what is added to a score by how far right of the query the key is, from −R to R;
   * beyond it as at it (Raffel et al. 2020, section 2.1, without their buckets).
   */
  readonly distances: tf.Tensor2D;
}

const FAR_BELOW = -1e9;

/** `attention` in plain differentiable ops: what its kernel must compute. */
export function referenceAttention(
  { queries, keys, values, distances }: AttentionInputs,
  lengths: Int32Array,
): tf.Tensor3D {
  const [B, T, W] = queries.shape;
  const heads = distances.shape[0];
  const D = W / heads;
  const byHead = (x: tf.Tensor3D) => x.reshape([B, T, heads, D]).transpose([0, 2, 1, 3]); // [B, h, T, D]
  const there = tf.tensor2d(presence(lengths, T), [B, T]);
  const added = distances.gather(tf.tensor1d(places(T, distances.shape[1]), 'int32'), 1);
  const scores = tf
    .matMul(byHead(queries), byHead(keys), false, true)
    .div(Math.sqrt(D))
    .add(added.reshape([1, heads, T, T]))
    .add(tf.sub(1, there).mul(FAR_BELOW).reshape([B, 1, 1, T])); // [B, h, T, T]
  const sums = tf.matMul(tf.softmax(scores), byHead(values)); // [B, h, T, D]
  return sums.transpose([0, 2, 1, 3]).reshape<tf.Tensor3D>([B, T, W]).mul(there.expandDims(2));
}

/** [B·T], 1 at tokens and 0 at padding. */
function presence(lengths: Int32Array, steps: number): Float32Array {
  const values = new Float32Array(lengths.length * steps);
  for (const [row, length] of lengths.entries()) values.fill(1, row * steps, row * steps + length);
  return values;
}

/** [T·T], of each query and key the column of their distance. */
function places(steps: number, columns: number): Int32Array {
  const reach = (columns - 1) / 2;
  return Int32Array.from({ length: steps * steps }, (_, i) => {
    const distance = (i % steps) - Math.floor(i / steps);
    return Math.min(Math.max(distance, -reach), reach) + reach;
  });
}
