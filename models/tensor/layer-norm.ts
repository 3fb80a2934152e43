import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/** What is added to a variance before its root is taken. */
const LEAST_VARIANCE = 1e-5;

/**
 * Each vector of the last axis brought to mean 0 and variance 1, then times `gain` [W] plus `bias` [W]:
 * x [..., W] -> [..., W] (Ba et al. 2016, section 3.1). Differentiable once.
 */
export function layerNorm<T extends tf.Tensor>(x: T, gain: tf.Tensor1D, bias: tf.Tensor1D): T {
  const width = x.shape[x.rank - 1] ?? 0;
  checkShapes(
    'layerNorm',
    { x: x.shape, gain: gain.shape, bias: bias.shape },
    'x [..., W], gain [W], bias [W]; W > 0',
    width > 0 && [gain, bias].every(({ rank, size }) => rank === 1 && size === width),
  );
  checkFloats('layerNorm', { x, gain, bias });
  const result = hasKernel('LayerNorm')
    ? fused(x, gain, bias)
    : tf.tidy(() => reference(x, gain, bias));
  return requireFinite('layerNorm', result as T, { x, gain, bias });
}

function fused(x: tf.Tensor, gain: tf.Tensor1D, bias: tf.Tensor1D): tf.Tensor {
  const op = tf.customGrad((...given) => {
    const [input, gains, biases, save] = given as unknown as [
      ...[tf.Tensor, tf.Tensor, tf.Tensor],
      tf.GradSaveFunc,
    ];
    const [y, means, scales] = runKernel(
      'LayerNorm',
      { x: input, gain: gains, bias: biases },
      { least: LEAST_VARIANCE },
    ) as [tf.Tensor, tf.Tensor, tf.Tensor];
    save([input, gains, means, scales]);
    return {
      value: y,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [x, gain, means, scales] = saved as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
        return runKernel('LayerNormGrad', { x, gain, means, scales, dy });
      },
    };
  });
  return op(x, gain, bias);
}

/** What the kernel must compute, in plain differentiable ops. */
function reference(x: tf.Tensor, gain: tf.Tensor1D, bias: tf.Tensor1D): tf.Tensor {
  const away = x.sub(x.mean(-1, true));
  const variance = away.square().mean(-1, true);
  return away.mul(variance.add(LEAST_VARIANCE).rsqrt()).mul(gain).add(bias);
}
