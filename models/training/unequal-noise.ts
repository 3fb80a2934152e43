/**
 * What can be certified where the noise depends on the input: given a draw n of the input noise, the
 * releases of x and x' are Gaussians of unequal covariance, and no closed form says how far apart
 * the best test can tell them. Their Bhattacharyya coefficient BC bounds it,
 *
 *   total variation ≤ √(1 − BC²) ≤ √(1 − e^(−KL))
 *
 * (Le Cam; the second step is Jensen's inequality), and has a closed form.
 */
import type { NoiselessOutput, Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';

/** −log BC² of pairs x, x' [P, T, E], for one draw of n that both sides share: [P]. */
export function negativeLogAffinity(
  representation: Pick<Representation, 'output' | 'inputStddev'>,
  x: tf.Tensor3D,
  twin: tf.Tensor3D,
  lengths: Int32Array,
  random: Random,
): tf.Tensor1D {
  const [P, T, E] = x.shape;
  const noise = tf
    .tensor3d(random.normals(P * T * E), [P, T, E])
    .mul<tf.Tensor3D>(representation.inputStddev());
  const own = representation.output(x.add(noise), lengths);
  const other = representation.output(twin.add(noise), lengths);
  return ofEachToken(own, other) // [P, T]
    .mul<tf.Tensor2D>(tokenMask(lengths, T))
    .sum<tf.Tensor1D>(1);
}

/** Σ over d of log((σ₁² + σ₂²) / 2σ₁σ₂) + (μ₁ − μ₂)² / 2(σ₁² + σ₂²), [P, T, d] to [P, T]. */
function ofEachToken(own: NoiselessOutput, other: NoiselessOutput): tf.Tensor2D {
  const variances = own.stddev.square().add(other.stddev.square());
  const spread = tf.log(variances.div(own.stddev.mul(other.stddev).mul(2)));
  const apart = own.mean.sub(other.mean).square().div(variances.mul(2));
  return apart.add(spread).sum<tf.Tensor2D>(2);
}

/** √(1 − BC²) of each pair, no less than the advantage of any adversary. [P] */
export function advantageLimits(negativeLog: tf.Tensor1D): tf.Tensor1D {
  return tf.sqrt(tf.expm1(negativeLog.neg()).neg().add(1e-9));
}

/** E[√(1 − BC²)]. */
export function affinityAdvantage(negativeLog: tf.Tensor1D): tf.Scalar {
  return tf.mean(advantageLimits(negativeLog));
}

/** 1 at tokens and 0 at padding, [P, T]. */
function tokenMask(lengths: Int32Array, T: number): tf.Tensor2D {
  const mask = new Float32Array(lengths.length * T);
  lengths.forEach((length, row) => {
    mask.fill(1, row * T, row * T + length);
  });
  return tf.tensor2d(mask, [lengths.length, T]);
}
