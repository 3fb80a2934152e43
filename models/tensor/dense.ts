import { requireFinite } from './finite-check.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

const ACTIVATIONS = { tanh: tf.tanh, relu: tf.relu, sigmoid: tf.sigmoid };
/** Those that a product can apply itself. */
const FUSED = ['relu', 'sigmoid'] as const;
export type Activation = keyof typeof ACTIVATIONS;

/** `activation(x kernel + bias)` over the last axis: x [..., I], kernel [I, O], bias [O] -> [..., O]. */
export function dense(
  x: tf.Tensor,
  kernel: tf.Tensor2D,
  bias: tf.Tensor1D,
  activation?: Activation,
): tf.Tensor {
  const [inputs, outputs] = kernel.shape;
  checkShapes(
    'dense',
    { x: x.shape, kernel: kernel.shape, bias: bias.shape },
    'x [..., I], kernel [I, O], bias [O]',
    x.rank > 0 && x.shape[x.rank - 1] === inputs && bias.rank === 1 && bias.shape[0] === outputs,
  );
  checkFloats('dense', { x, kernel, bias });
  const result = tf.tidy(() => {
    const rows = x.reshape([-1, inputs]) as tf.Tensor2D; // [N, I]
    // Where a gradient may follow, tfjs would take a product with an activation apart, its bias too.
    const fused = tf.engine().isTapeOn() ? undefined : FUSED.find((one) => one === activation);
    const product = tf.fused.matMul({
      a: rows,
      b: kernel,
      bias,
      ...(fused && { activation: fused }),
    });
    const activated = activation && !fused ? ACTIVATIONS[activation](product) : product; // [N, O]
    return activated.reshape([...x.shape.slice(0, -1), outputs]);
  });
  return requireFinite('dense', result, { x, kernel, bias });
}
