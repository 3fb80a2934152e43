import { TacetError } from '../../proto/errors.js';
import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { checkFloats, checkShapes } from './shape-check.js';
import * as tf from './tf.js';

/**
 * Binary cross-entropy from logits, per example: `softplus(logits) - logits * targets`, which
 * neither overflows nor loses its gradient. logits and targets have one shape; targets are
 * probabilities and get no gradient.
 */
export function sigmoidCrossEntropy<T extends tf.Tensor>(logits: T, targets: tf.Tensor): T {
  checkShapes(
    'sigmoidCrossEntropy',
    { logits: logits.shape, targets: targets.shape },
    'two equal shapes',
    tf.util.arraysEqual(logits.shape, targets.shape),
  );
  checkFloats('sigmoidCrossEntropy', { logits, targets });
  const op = tf.customGrad((input, target, save) => {
    const x = input as tf.Tensor;
    const z = target as tf.Tensor;
    (save as tf.GradSaveFunc)([x, z]);
    return {
      value: tf.sub(tf.softplus(x), tf.mul(x, z)),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [savedX, savedZ] = saved as [tf.Tensor, tf.Tensor];
        return [dy.mul(savedX.sigmoid().sub(savedZ)), tf.zerosLike(savedZ)];
      },
    };
  });
  return requireFinite('sigmoidCrossEntropy', op(logits, targets) as T, { logits, targets });
}

/**
 * Cross-entropy of a softmax over the last axis, per example: logits [N, L], labels [N] from 0 to
 * L - 1 -> [N]. A logit of -infinity off the label rules its class out.
 */
export function softmaxCrossEntropy(logits: tf.Tensor2D, labels: Int32Array): tf.Tensor1D {
  const [count, classes] = logits.shape;
  checkShapes(
    'softmaxCrossEntropy',
    { logits: logits.shape, labels: [labels.length] },
    'logits [N, L], labels [N]',
    logits.rank === 2 && labels.length === count,
  );
  checkFloats('softmaxCrossEntropy', { logits });
  const wrong = labels.findIndex((label) => !(label >= 0 && label < classes));
  if (wrong >= 0) {
    throw new TacetError(
      'tensor-invalid',
      `softmaxCrossEntropy: label ${labels[wrong]} at ${wrong}; expected 0 to ${classes - 1}`,
    );
  }
  // A copy: the backward pass reads the labels again, and the caller may have changed them.
  const truths = labels.slice();
  const op = tf.customGrad((input, save) => {
    const [losses, logSums] = softmaxLosses(input as tf.Tensor2D, truths);
    (save as tf.GradSaveFunc)([input as tf.Tensor2D, logSums]);
    return {
      value: losses,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [x, sums] = saved as [tf.Tensor2D, tf.Tensor1D];
        return softmaxGradient(x, sums, truths, dy as tf.Tensor1D);
      },
    };
  });
  return requireFinite('softmaxCrossEntropy', op(logits) as tf.Tensor1D, { logits });
}

/** The losses [N] and the logarithm of each row's sum of exponentials [N]. */
function softmaxLosses(logits: tf.Tensor2D, labels: Int32Array): [tf.Tensor1D, tf.Tensor1D] {
  if (hasKernel('SoftmaxLoss'))
    return runKernel('SoftmaxLoss', { logits }, { labels }) as [tf.Tensor1D, tf.Tensor1D];
  const logSums = tf.logSumExp<tf.Tensor1D>(logits, -1);
  const places = labels.map((label, row) => row * (logits.shape[1] as number) + label);
  const own = tf.gather<tf.Tensor1D>(logits.reshape([-1]), tf.tensor1d(places, 'int32'));
  return [logSums.sub(own), logSums];
}

/** dy [N] times the probabilities less the truth, [N, L]. */
function softmaxGradient(
  logits: tf.Tensor2D,
  logSums: tf.Tensor1D,
  labels: Int32Array,
  dy: tf.Tensor1D,
): tf.Tensor {
  if (hasKernel('SoftmaxLossGrad'))
    return runKernel('SoftmaxLossGrad', { logits, logSums, dy }, { labels })[0] as tf.Tensor;
  const probabilities = logits.sub(logSums.expandDims(-1)).exp();
  return probabilities.sub(truth(labels, logits)).mul(dy.expandDims(-1));
}

/** [N, L], 1 at each row's label. */
function truth(labels: Int32Array, { shape: [, classes] }: tf.Tensor2D): tf.Tensor {
  return tf.oneHot(tf.tensor1d(labels, 'int32'), classes, 1, 0, 'float32');
}
