import { hasKernel, runKernel } from './kernel.js';
import { secureNormals } from './secure-normals.js';
import { checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/**
 * `x + stddev * n`, n of `secureNormals`: x [..., D], stddev [D] or of the shape of x. Not
 * differentiable, since the sample is never drawn again.
 */
export function addSecureNoise<T extends tf.Tensor>(x: T, stddev: tf.Tensor): T {
  const rows = x.shape.slice(x.rank - stddev.rank);
  checkShapes(
    'addSecureNoise',
    { x: x.shape, stddev: stddev.shape },
    'x [..., D], stddev [D] or as x',
    (stddev.rank === 1 || stddev.rank === x.rank) && tf.util.arraysEqual(rows, stddev.shape),
  );
  if (hasKernel('SecureNoise')) return runKernel('SecureNoise', { x, stddev })[0] as T;
  return x.add(tf.tensor(secureNormals(x.size), x.shape).mul(stddev));
}
