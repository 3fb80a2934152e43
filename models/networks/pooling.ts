import * as tf from '../tensor/tf.js';

/** 1 at tokens and 0 at padding, [P, T, 1]. */
export function tokenMask(lengths: Int32Array | readonly number[], steps: number): tf.Tensor3D {
  const mask = new Float32Array(lengths.length * steps);
  for (const [row, length] of lengths.entries()) mask.fill(1, row * steps, row * steps + length);
  return tf.tensor3d(mask, [lengths.length, steps, 1]);
}

const FAR_BELOW = -1e4;

/** The sum over tokens by weights of a softmax over `scores` [P, T, 1], [P, H]. */
export function attended(hidden: tf.Tensor3D, scores: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  const [P, T] = hidden.shape;
  const masked = scores.add(tf.sub(1, mask).mul(FAR_BELOW)).reshape([P, T]);
  const weights = tf.softmax(masked).reshape([P, 1, T]);
  return tf.matMul(weights, hidden).reshape([P, -1]);
}

/** The mean over the tokens of a mask, zero where there are none, [P, H]. */
export function meanOver(hidden: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  return hidden.mul(mask).sum<tf.Tensor2D>(1).div(mask.sum(1).maximum(1));
}

/** The maximum over the tokens of a mask, far below zero where there are none, [P, H]. */
export function maximumOver(hidden: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  return hidden.add(tf.sub(1, mask).mul(FAR_BELOW)).max<tf.Tensor2D>(1);
}
