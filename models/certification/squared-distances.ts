import { tokenMask } from '../networks/pooling.js';
import type { View } from '../networks/view.js';
import { gaussianNoise } from '../tensor/gaussian-noise.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';

/** Δ(n)² of pairs x, x' [P, T, E], for one draw of n that both sides share: [P]. */
export function squaredDistances(
  representation: Pick<View, 'mean' | 'inputStddev' | 'outputStddev'>,
  x: tf.Tensor3D,
  twin: tf.Tensor3D,
  lengths: Int32Array,
  random: Random,
): tf.Tensor1D {
  const [P, T] = x.shape;
  const noise = gaussianNoise<tf.Tensor3D>(x.shape, representation.inputStddev(), random);
  const both = tf.concat3d([x.add(noise), twin.add(noise)], 0); // [2P, T, E]
  const means = representation.mean(both, Int32Array.from([...lengths, ...lengths])); // [2P, T, d]
  const d = means.shape[2];
  const difference = means.slice([0, 0, 0], [P, T, d]).sub(means.slice([P, 0, 0], [P, T, d]));
  const scaled = difference.div(representation.outputStddev());
  return squaredLengths(scaled.mul<tf.Tensor3D>(tokenMask(lengths, T)));
}

/** Δ² of means that lie so far apart, [P, ...], in units of the output noise: [P]. */
export function squaredLengths(difference: tf.Tensor): tf.Tensor1D {
  const [, ...others] = difference.shape.keys();
  return difference.square().sum<tf.Tensor1D>(others);
}

/** 2Φ(Δ/2) − 1 = erf(Δ / √8) of each pair, [P]. */
export function greatestAdvantages(squared: tf.Tensor1D): tf.Tensor1D {
  return tf.erf(tf.sqrt(squared.add(1e-9)).div(Math.sqrt(8)));
}
