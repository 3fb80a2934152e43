import * as tf from './tf.js';

/** The kernel behind `lstm` and `bilstm`; its outputs are y [B, T, D H] and, where differentiable, an opaque state. */
export const LSTM_SEQUENCE = 'LstmSequence';

export interface LstmAttributes {
  /** [B] */
  readonly lengths: Int32Array;
  /** For each direction, whether it runs from a sequence's end to its beginning. */
  readonly reverse: readonly boolean[];
  /** Whether each direction has a recurrent mask. */
  readonly masked: boolean;
  /** Whether a gradient may follow, so that the kernel must keep what the backward pass needs. */
  readonly differentiable: boolean;
}

/** One direction's tensors, or descriptions of them. */
export interface LstmDirection<T> {
  readonly kernel: T;
  readonly recurrent: T;
  readonly bias: T;
  readonly mask: T | undefined;
}

export interface LstmInputs<T> {
  readonly x: T;
  readonly directions: readonly LstmDirection<T>[];
}

/** The inputs in the order of the kernel: x, the weights of each direction, then the masks. */
export function listInputs<T>({ x, directions }: LstmInputs<T>): T[] {
  const weights = directions.flatMap(({ kernel, recurrent, bias }) => [kernel, recurrent, bias]);
  const masks = directions.flatMap(({ mask }) => (mask === undefined ? [] : [mask]));
  return [x, ...weights, ...masks];
}

/** The inverse of `listInputs`. */
export function lstmInputsOf<T>(inputs: readonly T[], attributes: LstmAttributes): LstmInputs<T> {
  const count = attributes.reverse.length;
  const directions = attributes.reverse.map((_, i) => ({
    kernel: inputs[1 + 3 * i] as T,
    recurrent: inputs[2 + 3 * i] as T,
    bias: inputs[3 + 3 * i] as T,
    mask: attributes.masked ? (inputs[1 + 3 * count + i] as T) : undefined,
  }));
  return { x: inputs[0] as T, directions };
}

/** Runs a kernel whose inputs are a list, as those of tfjs's own Concat are. */
export function runListKernel(
  name: string,
  inputs: readonly tf.Tensor[],
  attributes: object,
): tf.Tensor[] {
  const list = [...inputs] as unknown as tf.NamedTensorMap;
  const output: unknown = tf.engine().runKernel(name, list, { ...attributes });
  return (Array.isArray(output) ? output : [output]) as tf.Tensor[];
}
