import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/** Squared norms below it count as it, so that a zero vector stays zero. */
const SMALLEST_SQUARED_NORM = 1e-12;

/** Each vector of the last axis scaled to unit L2 norm: x [..., D] -> [..., D]. */
export function l2Normalise<T extends tf.Tensor>(x: T): T {
  checkShapes('l2Normalise', { x: x.shape }, 'x [..., D]', x.rank > 0);
  checkFloats('l2Normalise', { x });
  const op = tf.customGrad((input, save) => {
    (save as tf.GradSaveFunc)([input as tf.Tensor]);
    return {
      value: normalised(input as tf.Tensor),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => gradient(dy, saved[0] as tf.Tensor),
    };
  });
  return requireFinite('l2Normalise', op(x) as T, { x });
}

function normalised(x: tf.Tensor): tf.Tensor {
  if (hasKernel('L2Normalise')) {
    return runKernel('L2Normalise', { x }, { least: SMALLEST_SQUARED_NORM })[0] as tf.Tensor;
  }
  return x.mul(inverseNorm(x));
}

/** dx = (dy - y (dy . y)) / |x|, and dy / 1e-6 where the norm is held up from below. */
function gradient(dy: tf.Tensor, x: tf.Tensor): tf.Tensor {
  if (hasKernel('L2NormaliseGrad')) {
    return runKernel(
      'L2NormaliseGrad',
      { dy, x },
      { least: SMALLEST_SQUARED_NORM },
    )[0] as tf.Tensor;
  }
  const inverse = inverseNorm(x); // [..., 1]
  const y = x.mul(inverse);
  const grows = x.square().sum(-1, true).greater(SMALLEST_SQUARED_NORM).cast('float32');
  const along = dy.mul(y).sum(-1, true).mul(grows); // [..., 1]
  return dy.sub(y.mul(along)).mul(inverse);
}

function inverseNorm(x: tf.Tensor): tf.Tensor {
  return x.square().sum(-1, true).maximum(SMALLEST_SQUARED_NORM).rsqrt();
}
