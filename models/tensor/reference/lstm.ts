import type { LstmAttributes, LstmDirection, LstmInputs } from '../lstm-sequence.js';
import * as tf from '../tf.js';

/** The meaning of `lstm` and `bilstm`, in plain tfjs ops: [B, T, D H]. */
export function referenceLstm(
  { x, directions }: LstmInputs<tf.Tensor>,
  { lengths, reverse }: LstmAttributes,
): tf.Tensor3D {
  return tf.tidy(() => {
    const [batch, steps] = x.shape as [number, number, number];
    const inside = insideLengths(lengths, steps); // [B, T, 1]
    const rows = x.rank === 2 ? oneHot(x, directions[0]?.kernel.shape[0] as number) : x; // [B, T, I]
    const clean = tf.where(inside, rows, tf.zerosLike(rows)) as tf.Tensor3D;
    const outputs = directions.map((direction, i) => {
      if (!reverse[i]) return oneDirection(clean, direction, inside);
      const order = reversedOrder(lengths, batch, steps);
      return reordered(oneDirection(reordered(clean, order), direction, inside), order);
    });
    return tf.concat(outputs, 2) as tf.Tensor3D;
  });
}

function oneDirection(
  x: tf.Tensor3D,
  { kernel, recurrent, bias, mask }: LstmDirection<tf.Tensor>,
  inside: tf.Tensor3D,
): tf.Tensor3D {
  const [batch, steps, inputs] = x.shape;
  const units = recurrent.shape[0] as number;
  const rows = x.reshape([batch * steps, inputs]);
  const projected = tf.add(tf.matMul(rows, kernel), bias).reshape([batch, steps, 4 * units]);
  const active = inside.cast('float32');
  let h: tf.Tensor = tf.zeros([batch, units]);
  let c: tf.Tensor = tf.zeros([batch, units]);
  const outputs: tf.Tensor[] = [];
  for (let step = 0; step < steps; step++) {
    const fedBack = mask ? h.mul(mask) : h;
    const sums = tf.add(column(projected, step), tf.matMul(fedBack, recurrent)); // [B, 4H]
    const [i, f, g, o] = tf.split(sums, 4, 1) as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
    c = tf.add(f.sigmoid().mul(c), i.sigmoid().mul(g.tanh()));
    // Past its end a sequence carries zeros, which reach no output that counts.
    h = o.sigmoid().mul(c.tanh()).mul(column(active, step));
    outputs.push(h);
  }
  return tf.stack(outputs, 1) as tf.Tensor3D;
}

/** x [B, T, K] at one step: [B, K]. */
function column(x: tf.Tensor, step: number): tf.Tensor {
  const [batch, , width] = x.shape as [number, number, number];
  return x.slice([0, step, 0], [batch, 1, width]).reshape([batch, width]);
}

/** Codes [B, T] as rows of zeros with one 1: [B, T, I]. */
function oneHot(codes: tf.Tensor, inputs: number): tf.Tensor {
  return tf.equal(codes.expandDims(-1), tf.range(0, inputs, 1, 'int32')).cast('float32');
}

function insideLengths(lengths: Int32Array, steps: number): tf.Tensor3D {
  const inside = Array.from(lengths, (length) =>
    Array.from({ length: steps }, (_, step) => [step < length]),
  );
  return tf.tensor3d(inside, [lengths.length, steps, 1], 'bool');
}

/** [B * T]: rows of x [B * T, K] with every sequence turned around inside its length. */
function reversedOrder(lengths: Int32Array, batch: number, steps: number): tf.Tensor1D {
  const order = new Int32Array(batch * steps);
  for (let b = 0; b < batch; b++) {
    const length = lengths[b] as number;
    for (let step = 0; step < steps; step++) {
      order[b * steps + step] = b * steps + (step < length ? length - 1 - step : step);
    }
  }
  return tf.tensor1d(order, 'int32');
}

function reordered(x: tf.Tensor3D, order: tf.Tensor1D): tf.Tensor3D {
  const [batch, steps, width] = x.shape;
  return tf.gather(x.reshape([batch * steps, width]), order).reshape([batch, steps, width]);
}
