import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import type { StreamPosition } from './philox.js';
import type { Random } from './random.js';
import { normalsAt } from './reference/normals.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/**
 * `x + stddev * n`, n standard normal: x [..., D], stddev [D]. Differentiable in both (the
 * reparameterisation of Kingma and Welling 2014, section 2.4): dx = dy, dstddev = sum of dy * n over
 * all rows. The sample is drawn again from its place in the stream in the backward pass.
 */
export function addGaussianNoise<T extends tf.Tensor>(
  x: T,
  stddev: tf.Tensor1D,
  random: Random,
): T {
  checkShapes(
    'addGaussianNoise',
    { x: x.shape, stddev: stddev.shape },
    'x [..., D], stddev [D]',
    x.rank > 0 && stddev.rank === 1 && x.shape[x.rank - 1] === stddev.shape[0],
  );
  checkFloats('addGaussianNoise', { x, stddev });
  const position = random.take(x.size);
  const op = tf.customGrad((input, scale) => ({
    value: noisy(input as tf.Tensor, scale as tf.Tensor, position),
    gradFunc: (dy: tf.Tensor) => [dy.clone(), stddevGradient(dy, position)],
  }));
  return requireFinite('addGaussianNoise', op(x, stddev) as T, { x, stddev });
}

/** Gaussian noise alone, [..., D] of stddev [D], differentiable in `stddev`. */
export function gaussianNoise<T extends tf.Tensor>(
  shape: T['shape'],
  stddev: tf.Tensor1D,
  random: Random,
): T {
  return addGaussianNoise(tf.zeros(shape) as T, stddev, random);
}

function noisy(x: tf.Tensor, stddev: tf.Tensor, position: StreamPosition): tf.Tensor {
  if (hasKernel('GaussianNoise')) {
    return runKernel('GaussianNoise', { x, stddev }, { position })[0] as tf.Tensor;
  }
  return tf.add(x, tf.mul(sample(x.shape, position), stddev));
}

function stddevGradient(dy: tf.Tensor, position: StreamPosition): tf.Tensor {
  if (hasKernel('GaussianNoiseGrad')) {
    return runKernel('GaussianNoiseGrad', { dy }, { position })[0] as tf.Tensor;
  }
  const rowAxes = dy.shape.slice(0, -1).map((_, axis) => axis);
  return tf.sum(tf.mul(dy, sample(dy.shape, position)), rowAxes);
}

function sample(shape: readonly number[], position: StreamPosition): tf.Tensor {
  return tf.tensor(normalsAt(position, tf.util.sizeFromShape([...shape])), [...shape]);
}
