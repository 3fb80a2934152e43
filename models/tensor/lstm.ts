import { requireFinite } from './finite-check.js';
import { hasKernel } from './kernel.js';
import {
  LSTM_SEQUENCE,
  type LstmAttributes,
  type LstmDirection,
  type LstmInputs,
  listInputs,
  runListKernel,
} from './lstm-sequence.js';
import { referenceLstm } from './reference/lstm.js';
import { checkFloats, checkShapes, extremesOf } from './shape-check.js';
import * as tf from './tf.js';

/** The weights of one direction of an LSTM with I inputs and H units; gates in the order i f g o. */
export interface LstmWeights {
  /** [I, 4H] */
  readonly kernel: tf.Tensor2D;
  /** [H, 4H] */
  readonly recurrent: tf.Tensor2D;
  /** [4H] */
  readonly bias: tf.Tensor1D;
}

export interface LstmOptions {
  /** [B]: the true length of each sequence, 0 to T. */
  readonly lengths: Int32Array;
  /** [B, H]: multiplies what each step receives of the step before (variational dropout). */
  readonly recurrentMask?: tf.Tensor2D;
  /** From the end of each sequence to its beginning. */
  readonly reverse?: boolean;
}

export interface BilstmOptions {
  /** [B]: the true length of each sequence, 0 to T. */
  readonly lengths: Int32Array;
  /** [B, H] for each direction (variational dropout, Gal and Ghahramani 2016). */
  readonly recurrentMasks?: { readonly forward: tf.Tensor2D; readonly backward: tf.Tensor2D };
}

/**
 * Outputs of an LSTM (Hochreiter and Schmidhuber 1997, with forget gates) at every step of x
 * [B, T, I], as [B, T, H]; zero beyond a sequence's length, whatever x holds there. Differentiable
 * once in x and the weights, not in the mask; the gradient of x is not computed where nothing
 * trained leads to it. Throws `tensor-invalid` for shapes or lengths that do not fit.
 */
export function lstm(x: tf.Tensor3D, weights: LstmWeights, options: LstmOptions): tf.Tensor3D {
  const directions = [{ ...weights, mask: options.recurrentMask }];
  return sequence('lstm', { x, directions }, options.lengths, [options.reverse === true]);
}

/**
 * As `lstm` in both directions at once: [B, T, 2H], the outputs of `forward` and then those of
 * `backward`, each at the step of x that it saw last.
 */
export function bilstm(
  x: tf.Tensor3D,
  forward: LstmWeights,
  backward: LstmWeights,
  options: BilstmOptions,
): tf.Tensor3D {
  return bothDirections('bilstm', x, forward, backward, options);
}

/**
 * As `bilstm` on rows of zeros with a single 1, which `codes` [B, T], integers from 0 to I - 1, give the place
 * of: each step looks up a row of the kernel where `bilstm` would multiply by all of it. Codes past a length
 * count for nothing, and must be in range all the same.
 */
export function bilstmOfCodes(
  codes: tf.Tensor2D,
  forward: LstmWeights,
  backward: LstmWeights,
  options: BilstmOptions,
): tf.Tensor3D {
  return bothDirections('bilstmOfCodes', codes, forward, backward, options);
}

function bothDirections(
  op: string,
  x: tf.Tensor,
  forward: LstmWeights,
  backward: LstmWeights,
  options: BilstmOptions,
): tf.Tensor3D {
  const directions = [
    { ...forward, mask: options.recurrentMasks?.forward },
    { ...backward, mask: options.recurrentMasks?.backward },
  ];
  return sequence(op, { x, directions }, options.lengths, [false, true]);
}

function sequence(
  op: string,
  inputs: LstmInputs<tf.Tensor>,
  lengths: Int32Array,
  reverse: readonly boolean[],
): tf.Tensor3D {
  checkSequence(op, inputs, lengths);
  const masked = inputs.directions[0]?.mask !== undefined;
  // A copy: the backward pass reads the lengths again, and the caller may have changed them.
  const differentiable = tf.engine().isTapeOn();
  const attributes = { lengths: lengths.slice(), reverse, masked, differentiable };
  return requireFinite(op, outputs(inputs, attributes), namedInputs(inputs));
}

function outputs(inputs: LstmInputs<tf.Tensor>, attributes: LstmAttributes): tf.Tensor3D {
  if (!hasKernel(LSTM_SEQUENCE)) return referenceLstm(inputs, attributes);
  const [y, state] = runListKernel(LSTM_SEQUENCE, listInputs(inputs), attributes);
  state?.dispose();
  return y as tf.Tensor3D;
}

function namedInputs({ x, directions }: LstmInputs<tf.Tensor>): Record<string, tf.Tensor> {
  return Object.assign({ x }, ...directions.map((_, i) => namedTensors(directions, i)));
}

/** The tensors of direction `i`, which is part of their names where there are two. */
function namedTensors(
  directions: readonly LstmDirection<tf.Tensor>[],
  i: number,
): Record<string, tf.Tensor> {
  const { kernel, recurrent, bias, mask } = directions[i] as LstmDirection<tf.Tensor>;
  const tensors = { kernel, recurrent, bias, ...(mask && { mask }) };
  if (directions.length === 1) return tensors;
  const direction = i === 0 ? 'forward' : 'backward';
  return Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [`${direction} ${name}`, tensor]),
  );
}

function checkSequence(op: string, inputs: LstmInputs<tf.Tensor>, lengths: Int32Array): void {
  const { x, directions } = inputs;
  const [batch, steps] = x.shape as [number, number];
  const areCodes = op === 'bilstmOfCodes';
  const size = (areCodes ? directions[0]?.kernel.shape[0] : x.shape[2]) as number;
  const units = (directions[0] as LstmDirection<tf.Tensor>).recurrent.shape[0] as number;
  directions.forEach(({ kernel, recurrent, bias, mask }, i) => {
    const tensors = Object.entries({ x, ...namedTensors(directions, i) });
    const shapes = Object.fromEntries(tensors.map(([name, { shape }]) => [name, shape]));
    checkShapes(
      op,
      { ...shapes, lengths: [lengths.length] },
      `${areCodes ? 'integer codes x [B, T]' : 'x [B, T, I]'}, kernel [I, 4H], recurrent [H, 4H], ` +
        'bias [4H], mask [B, H], lengths [B]; ' +
        `I, H > 0${i > 0 ? `; H = ${units}, as forward` : ''}`,
      (areCodes ? x.rank === 2 && x.dtype === 'int32' : x.rank === 3) &&
        size > 0 &&
        units > 0 &&
        tf.util.arraysEqual(kernel.shape, [size, 4 * units]) &&
        tf.util.arraysEqual(recurrent.shape, [units, 4 * units]) &&
        tf.util.arraysEqual(bias.shape, [4 * units]) &&
        (!mask || tf.util.arraysEqual(mask.shape, [batch, units])) &&
        lengths.length === batch,
    );
  });
  const [lowest, highest] = extremesOf(lengths);
  checkShapes(
    op,
    { x: x.shape, lengths: [lowest, highest] },
    'every length (lowest and highest shown) from 0 to T',
    lowest >= 0 && highest <= steps,
  );
  const { x: rows, ...weights } = namedInputs(inputs);
  checkFloats(op, areCodes ? weights : { x: rows as tf.Tensor, ...weights });
  if (!areCodes) return;
  const [least, most] = extremesOf(x.dataSync<'int32'>());
  checkShapes(
    op,
    { codes: x.shape, 'lowest and highest code': [least, most] },
    'codes from 0 to I - 1',
    x.size === 0 || (least >= 0 && most < size),
  );
}
