import { TacetError } from '../../proto/errors.js';
import { holdsNumbers, requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import {
  type CrfBatch,
  crfGradients,
  crfLosses,
  crfMarginals,
  crfViterbi,
} from './reference/crf.js';
import { checkFinite, checkFloats, checkShapes, shapeText } from './shape-check.js';
import * as tf from './tf.js';

/** The weights of a linear-chain conditional random field over L labels. */
export interface CrfWeights {
  /** [L, L]: the score of a step from one label (row) to the next (column). */
  readonly transitions: tf.Tensor2D;
  /** [L]: the score of beginning with a label. */
  readonly start: tf.Tensor1D;
  /** [L]: the score of ending with a label. */
  readonly end: tf.Tensor1D;
}

/**
 * `log Z - score(labels)` of each sequence, [B] (Lafferty, McCallum and Pereira 2001; the forward
 * algorithm in log space), for emissions [B, T, L], labels [B * T] and lengths [B]. Positions past a
 * length count for nothing; the loss of an empty sequence is 0. Differentiable in the emissions and
 * the weights: expected minus observed counts. Throws `tensor-invalid` for shapes that do not fit,
 * labels outside the scheme and losses that are not finite: an emission of -infinity rules a label
 * out, and may stand wherever the true label is another.
 */
export function crfNegativeLogLikelihood(
  emissions: tf.Tensor3D,
  labels: Int32Array,
  lengths: Int32Array,
  crf: CrfWeights,
): tf.Tensor1D {
  checkCrf('crfNegativeLogLikelihood', emissions, lengths, crf);
  checkLabels(emissions, labels, lengths);
  const { transitions, start, end } = crf;
  // Copies: the backward pass reads them again, and the caller may have changed them.
  const [trueLabels, ownLengths] = [labels.slice(), lengths.slice()];
  const op = tf.customGrad((...parameters) => {
    const save = parameters.pop() as tf.GradSaveFunc;
    const inputs = parameters as tf.Tensor[];
    save(inputs);
    return {
      value: losses(inputs, trueLabels, ownLengths),
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => gradients(dy, saved, trueLabels, ownLengths),
    };
  });
  const value = op(emissions, transitions, start, end) as tf.Tensor1D;
  return requireFinite('crfNegativeLogLikelihood', value, { emissions, transitions, start, end });
}

/**
 * The best label sequence of each row (Viterbi), [B * T], 0 past a length. Ties go to the lower label.
 * Throws `tensor-invalid` for shapes that do not fit and where any number is not finite.
 */
export function crfDecode(
  emissions: tf.Tensor3D,
  lengths: Int32Array,
  crf: CrfWeights,
): Int32Array {
  const inputs = checkedInputs('crfDecode', emissions, lengths, crf);
  if (!hasKernel('CrfDecode')) return crfViterbi(batchOf(inputs, lengths));
  const [path] = runKernel('CrfDecode', named(inputs), { lengths }) as [tf.Tensor];
  const labels = path.dataSync<'int32'>();
  path.dispose();
  return labels;
}

/**
 * The probability of each label at each token, [B, T, L], which add up to 1 at each token and are 0 past a length
 * (forward-backward with scaling; Rabiner 1989, section V.A). Throws `tensor-invalid` as `crfDecode` does.
 */
export function crfPosteriors(
  emissions: tf.Tensor3D,
  lengths: Int32Array,
  crf: CrfWeights,
): tf.Tensor3D {
  const inputs = checkedInputs('crfPosteriors', emissions, lengths, crf);
  if (hasKernel('CrfPosteriors')) {
    return runKernel('CrfPosteriors', named(inputs), { lengths })[0] as tf.Tensor3D;
  }
  return tf.tensor3d(crfMarginals(batchOf(inputs, lengths)), emissions.shape);
}

function losses(inputs: tf.Tensor[], labels: Int32Array, lengths: Int32Array): tf.Tensor {
  if (hasKernel('CrfLoss')) {
    return runKernel('CrfLoss', named(inputs), { labels, lengths })[0] as tf.Tensor;
  }
  return tf.tensor1d(crfLosses(batchOf(inputs, lengths), labels));
}

function gradients(
  dy: tf.Tensor,
  inputs: tf.Tensor[],
  labels: Int32Array,
  lengths: Int32Array,
): tf.Tensor[] {
  if (hasKernel('CrfLossGrad')) {
    return runKernel('CrfLossGrad', { dy, ...named(inputs) }, { labels, lengths });
  }
  const found = crfGradients(batchOf(inputs, lengths), labels, dy.dataSync());
  const arrays = [found.emissions, found.transitions, found.start, found.end];
  return arrays.map((array, i) => tf.tensor(array, (inputs[i] as tf.Tensor).shape));
}

function named([emissions, transitions, start, end]: tf.Tensor[]): Record<string, tf.Tensor> {
  return { emissions, transitions, start, end } as Record<string, tf.Tensor>;
}

function batchOf(inputs: tf.Tensor[], lengths: Int32Array): CrfBatch {
  const [emissions, transitions, start, end] = inputs.map((input) => input.dataSync());
  const [batch, steps, labelCount] = (inputs[0] as tf.Tensor).shape;
  return { batch, steps, labelCount, lengths, emissions, transitions, start, end } as CrfBatch;
}

/** Emissions, transitions, start and end, all of finite numbers. */
function checkedInputs(
  op: string,
  emissions: tf.Tensor3D,
  lengths: Int32Array,
  crf: CrfWeights,
): tf.Tensor[] {
  checkCrf(op, emissions, lengths, crf);
  const { transitions, start, end } = crf;
  for (const [name, tensor] of Object.entries({ emissions, transitions, start, end })) {
    if (!holdsNumbers(tensor)) checkFinite(op, name, tensor.shape, tensor.dataSync());
  }
  return [emissions, transitions, start, end];
}

function checkCrf(op: string, emissions: tf.Tensor3D, lengths: Int32Array, crf: CrfWeights): void {
  const { transitions, start, end } = crf;
  const [batch, steps, labelCount] = emissions.shape;
  const fits = (shape: readonly number[]) => shape.every((size) => size === labelCount);
  checkShapes(
    op,
    {
      emissions: emissions.shape,
      lengths: [lengths.length],
      transitions: transitions.shape,
      start: start.shape,
      end: end.shape,
    },
    'emissions [B, T, L], lengths [B] from 0 to T, transitions [L, L], start [L], end [L]; L > 0',
    emissions.rank === 3 &&
      labelCount > 0 &&
      transitions.rank === 2 &&
      start.rank === 1 &&
      end.rank === 1 &&
      [transitions.shape, start.shape, end.shape].every(fits) &&
      lengths.length === batch &&
      lengths.every((length) => length >= 0 && length <= steps),
  );
  checkFloats(op, { emissions, transitions, start, end });
}

function checkLabels(emissions: tf.Tensor3D, labels: Int32Array, lengths: Int32Array): void {
  const [batch, steps, labelCount] = emissions.shape;
  checkShapes(
    'crfNegativeLogLikelihood',
    { emissions: emissions.shape, labels: [labels.length] },
    'emissions [B, T, L], labels [B * T]',
    labels.length === batch * steps,
  );
  for (let at = 0; at < labels.length; at++) {
    const label = labels[at] as number;
    if (at % steps >= (lengths[Math.floor(at / steps)] as number)) continue;
    if (label >= 0 && label < labelCount) continue;
    throw new TacetError(
      'tensor-invalid',
      `crfNegativeLogLikelihood: label ${label} at ${shapeText([Math.floor(at / steps), at % steps])}` +
        `; expected 0 to ${labelCount - 1}`,
    );
  }
}
