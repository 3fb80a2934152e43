/**
 * What can be certified where the noise depends on the input: given a draw n of the input noise, the
 * releases of x and x' are Gaussians of unequal covariance, and no closed form says how far apart
 * the best test can tell them. Their Bhattacharyya coefficient BC bounds it,
 *
 *   total variation ≤ √(1 − BC²) ≤ √(1 − e^(−KL))
 *
 * (Le Cam; the second step is Jensen's inequality), and has a closed form.
 */

import { tokenMask } from '../networks/pooling.js';
import type { NoiselessOutput, Representation } from '../networks/representation.js';
import { gaussianNoise } from '../tensor/gaussian-noise.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { LEAST_ACCURACY } from './accuracy.js';

/** −log BC² of pairs x, x' [P, T, E], for one draw of n that both sides share: [P]. */
export function negativeLogAffinity(
  representation: Pick<Representation, 'output' | 'inputStddev'>,
  x: tf.Tensor3D,
  twin: tf.Tensor3D,
  lengths: Int32Array,
  random: Random,
): tf.Tensor1D {
  const noise = gaussianNoise<tf.Tensor3D>(x.shape, representation.inputStddev(), random);
  const own = representation.output(x.add(noise), lengths);
  const other = representation.output(twin.add(noise), lengths);
  return ofEachToken(own, other) // [P, T, 1]
    .mul<tf.Tensor3D>(tokenMask(lengths, x.shape[1]))
    .sum<tf.Tensor1D>([1, 2]);
}

/** Σ over d of log((σ₁² + σ₂²) / 2σ₁σ₂) + (μ₁ − μ₂)² / 2(σ₁² + σ₂²), [P, T, d] to [P, T, 1]. */
function ofEachToken(own: NoiselessOutput, other: NoiselessOutput): tf.Tensor3D {
  const variances = own.stddev.square().add(other.stddev.square());
  const spread = tf.log(variances.div(own.stddev.mul(other.stddev).mul(2)));
  const apart = own.mean.sub(other.mean).square().div(variances.mul(2));
  return apart.add(spread).sum<tf.Tensor3D>(2, true);
}

/**
 * The most that any test can be right about each pair, [P]: (1 + √(1 − BC²)) / 2, the mean over the draws
 * of n. `embed` gives x and x', [P, T, E].
 */
export function unequalNoiseLimits(
  representation: Pick<Representation, 'output' | 'inputStddev'>,
  embed: () => readonly [x: tf.Tensor3D, twin: tf.Tensor3D],
  lengths: Int32Array,
  draws: number,
  random: Random,
): Float64Array {
  const limits = new Float64Array(lengths.length).fill(LEAST_ACCURACY);
  for (let draw = 0; draw < draws; draw++) {
    const advantages = tf.tidy(() => {
      const [x, twin] = embed();
      const divergence = negativeLogAffinity(representation, x, twin, lengths, random);
      return advantageLimits(divergence).dataSync<'float32'>();
    });
    advantages.forEach((advantage, i) => {
      limits[i] += Math.min(1, advantage) / 2 / draws;
    });
  }
  return limits.map((limit) => Math.min(1, limit));
}

/** √(1 − BC²) of each pair, no less than the advantage of any adversary. [P] */
export function advantageLimits(negativeLog: tf.Tensor1D): tf.Tensor1D {
  return tf.sqrt(tf.expm1(negativeLog.neg()).neg().add(1e-9));
}
