import { TacetError } from '../../proto/errors.js';
import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import type { StreamPosition } from './philox.js';
import type { Random } from './random.js';
import { dropoutMaskAt } from './reference/dropout-mask.js';
import { checkFloats } from './shape-check.js';
import * as tf from './tf.js';

/**
 * Inverted dropout (Srivastava et al. 2014): each element of `x` is 0 with probability `rate`, else
 * multiplied by 1 / (1 - rate). The mask is drawn again in the backward pass.
 */
export function dropout<T extends tf.Tensor>(x: T, rate: number, random: Random): T {
  checkRate(rate);
  checkFloats('dropout', { x });
  if (rate === 0) return x.clone();
  const position = random.take(x.size);
  const op = tf.customGrad((input) => ({
    value: masked(input as tf.Tensor, rate, position),
    gradFunc: (dy: tf.Tensor) => masked(dy, rate, position),
  }));
  return requireFinite('dropout', op(x) as T, { x });
}

/**
 * One mask a sequence for the recurrent connections of an LSTM, the same at every time step (Gal
 * and Ghahramani 2016): [B, H] of 0 or 1 / (1 - rate).
 */
export function recurrentMask(
  shape: readonly [number, number],
  rate: number,
  random: Random,
): tf.Tensor2D {
  checkRate(rate);
  const position = random.take(shape[0] * shape[1]);
  return tf.tidy(() => masked(tf.ones([...shape]), rate, position)) as tf.Tensor2D;
}

function masked(x: tf.Tensor, rate: number, position: StreamPosition): tf.Tensor {
  if (hasKernel('Dropout')) return runKernel('Dropout', { x }, { rate, position })[0] as tf.Tensor;
  return tf.mul(x, tf.tensor(dropoutMaskAt(position, x.size, rate), x.shape));
}

function checkRate(rate: number): void {
  if (rate >= 0 && rate < 1) return;
  throw new TacetError('tensor-invalid', `dropout: rate is ${rate}; expected at least 0, under 1`);
}
