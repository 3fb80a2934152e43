import { requireFinite } from './finite-check.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/**
 * The last state of each direction of `bilstm`'s outputs y [B, T, 2H], as [B, 2H]: the forward one
 * at each sequence's last step beside the backward one at its first; zero for an empty sequence.
 * Differentiable in y. Throws `tensor-invalid` for shapes or lengths that do not fit.
 */
export function bilstmLastStates(y: tf.Tensor3D, lengths: Int32Array): tf.Tensor2D {
  const [batch, steps, width] = y.shape;
  checkShapes(
    'bilstmLastStates',
    { y: y.shape, lengths: [lengths.length] },
    'y [B, T, 2H], lengths [B] from 0 to T; T > 0',
    y.rank === 3 &&
      steps > 0 &&
      width % 2 === 0 &&
      lengths.length === batch &&
      lengths.every((length) => length >= 0 && length <= steps),
  );
  checkFloats('bilstmLastStates', { y });
  const rows = lastRows(lengths, steps);
  const op = tf.customGrad((input) => ({
    value: tf.gather(halves(input as tf.Tensor3D), tf.tensor1d(rows, 'int32')),
    gradFunc: (dy: tf.Tensor) =>
      tf
        .unsortedSegmentSum(dy as tf.Tensor2D, tf.tensor1d(rows, 'int32'), 2 * batch * steps)
        .reshape(y.shape),
  }));
  const states = tf.tidy(() => op(y).reshape([batch, width])) as tf.Tensor2D;
  return requireFinite('bilstmLastStates', states, { y });
}

/** [B, T, 2H] to [B * T * 2, H]: the states of both directions, each a row. */
function halves(y: tf.Tensor3D): tf.Tensor2D {
  const [batch, steps, width] = y.shape;
  return y.reshape([2 * batch * steps, width / 2]);
}

/** The two rows of each sequence. Those of an empty one are padding, which is zero. */
function lastRows(lengths: Int32Array, steps: number): Int32Array {
  const rows = new Int32Array(2 * lengths.length);
  lengths.forEach((length, b) => {
    rows[2 * b] = 2 * (b * steps + Math.max(length - 1, 0));
    rows[2 * b + 1] = 2 * b * steps + 1;
  });
  return rows;
}
