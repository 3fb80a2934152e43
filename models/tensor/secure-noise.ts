import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { secureNormals } from './secure-normals.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/**
 * `x + stddev * n`, n of `secureNormals`: x [..., D], stddev [D] or of the shape of x. Not
 * differentiable, since the sample is never drawn again. Throws `tensor-invalid` for shapes that do
 * not fit and where the sum is not finite.
 */
export function addSecureNoise<T extends tf.Tensor>(x: T, stddev: tf.Tensor): T {
  const rows = x.shape.slice(x.rank - stddev.rank);
  checkShapes(
    'addSecureNoise',
    { x: x.shape, stddev: stddev.shape },
    'x [..., D], stddev [D] or as x',
    (stddev.rank === 1 || stddev.rank === x.rank) && tf.util.arraysEqual(rows, stddev.shape),
  );
  checkFloats('addSecureNoise', { x, stddev });
  const sum: SecureSum = { isFinite: false };
  const result = noisy(x, stddev, sum) as T;
  return sum.isFinite ? result : requireFinite('addSecureNoise', result, { x, stddev });
}

/** What the native kernel finds of its result while it has it at hand; where it is not used, nobody looked. */
export interface SecureSum {
  isFinite: boolean;
}

function noisy(x: tf.Tensor, stddev: tf.Tensor, sum: SecureSum): tf.Tensor {
  if (hasKernel('SecureNoise'))
    return runKernel('SecureNoise', { x, stddev }, { sum })[0] as tf.Tensor;
  return tf.tidy(() => x.add(tf.tensor(secureNormals(x.size), x.shape).mul(stddev)));
}
