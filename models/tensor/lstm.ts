import * as tf from './tf.js';

export interface LstmWeights {
  readonly kernel: tf.Tensor2D;
  readonly recurrent: tf.Tensor2D;
  readonly bias: tf.Tensor1D;
}

export function bilstm(
  x: tf.Tensor3D,
  forward: LstmWeights,
  backward: LstmWeights,
  options: {
    lengths: Int32Array;
    recurrentMasks?: { forward: tf.Tensor2D; backward: tf.Tensor2D };
  },
): tf.Tensor3D {
  const a = lstm(x, forward, options.lengths, false, options.recurrentMasks?.forward);
  const b = lstm(x, backward, options.lengths, true, options.recurrentMasks?.backward);
  return tf.concat([a, b], 2);
}

function lstm(
  x: tf.Tensor3D,
  w: LstmWeights,
  lengths: Int32Array,
  reverse: boolean,
  mask?: tf.Tensor2D,
): tf.Tensor3D {
  const [B, T, I] = x.shape;
  const H = w.recurrent.shape[0];
  let h: tf.Tensor2D = tf.zeros([B, H]);
  let c: tf.Tensor2D = tf.zeros([B, H]);
  const out: tf.Tensor[] = [];
  const order = Array.from({ length: T }, (_, t) => (reverse ? T - 1 - t : t));
  for (const t of order) {
    const xt = x.slice([0, t, 0], [B, 1, I]).reshape([B, I]) as tf.Tensor2D;
    const z = tf
      .matMul(xt, w.kernel)
      .add(tf.matMul(mask ? h.mul(mask) : h, w.recurrent))
      .add(w.bias);
    const [i, f, g, o] = tf.split(z, 4, 1);
    const active = tf.tensor2d(
      Float32Array.from(lengths, (n) => (t < n ? 1 : 0)),
      [B, 1],
    );
    const c2 = tf
      .sigmoid(f)
      .mul(c)
      .add(tf.sigmoid(i).mul(tf.tanh(g)));
    const h2 = tf.sigmoid(o).mul(tf.tanh(c2));
    c = c2.mul(active) as tf.Tensor2D;
    h = h2.mul(active) as tf.Tensor2D;
    out[t] = h;
  }
  return tf.stack(out, 1) as tf.Tensor3D;
}
