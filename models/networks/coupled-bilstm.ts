import { bilstmOfCodes, type LstmWeights } from '../tensor/lstm.js';
import * as tf from '../tensor/tf.js';
import type { InitialWeight, InitialWeights } from './initial-weights.js';
import { zeros } from './initialisers.js';
import type { Parameters } from './parameters.js';

const DIRECTIONS = ['forward', 'backward'] as const;

/** The weights under `name/` of a bidirectional LSTM with coupled gates: i, c, o side by side. */
export function coupledBilstmWeights(name: string, inputs: number, units: number): InitialWeights {
  const weights: Record<string, InitialWeight> = {};
  for (const direction of DIRECTIONS) {
    weights[`${name}/${direction}/kernel`] = gates(inputs, inputs, units);
    weights[`${name}/${direction}/recurrent`] = gates(units, inputs, units);
    weights[`${name}/${direction}/bias`] = zeros(3 * units);
  }
  return weights;
}

/**
 * Outputs [B, T, 2H] over one-hot inputs, which codes [B, T] name, of the LSTM of Festag and Spreckelsen 2020,
 * whose forget gate is what the input gate leaves:
 *
 *   i = σ(W_i [z, h] + b_i + 1), c = i c' + (1 − i) tanh(W_c [z, h] + b_c), o = σ(W_o [z, h] + b_o), h = o tanh(c)
 *
 * where i keeps the state c' of the step before. Since 1 − σ(s) = σ(−s), it is the LSTM of
 * `bilstmOfCodes` whose input gate has the weights of the forget gate, negated.
 */
export function coupledBilstm(
  parameters: Parameters,
  name: string,
  codes: tf.Tensor2D,
  lengths: Int32Array,
): tf.Tensor3D {
  const [forward, backward] = DIRECTIONS.map((direction) =>
    uncoupled(parameters, `${name}/${direction}`),
  ) as [LstmWeights, LstmWeights];
  return bilstmOfCodes(codes, forward, backward, { lengths });
}

/** Gates i f g o: f keeps, i = 1 − f. */
function uncoupled(parameters: Parameters, name: string): LstmWeights {
  const apart = <T extends tf.Tensor>(weights: T, shift: number): T => {
    const [keep, rest] = split(weights);
    const shifted = shift === 0 ? keep : keep.add(shift);
    return tf.concat([shifted.neg(), shifted, rest], -1) as T;
  };
  return {
    kernel: apart(parameters.matrix(`${name}/kernel`), 0),
    recurrent: apart(parameters.matrix(`${name}/recurrent`), 0),
    bias: apart(parameters.vector(`${name}/bias`), 1),
  };
}

/** i beside c and o. */
function split(weights: tf.Tensor): [tf.Tensor, tf.Tensor] {
  const units = (weights.shape.at(-1) as number) / 3;
  return tf.split(weights, [units, 2 * units], -1) as [tf.Tensor, tf.Tensor];
}

/** Uniform as Glorot and Bengio's for each gate, which reads inputs and state at once. */
function gates(rows: number, inputs: number, units: number): InitialWeight {
  const limit = Math.sqrt(6 / (inputs + 2 * units));
  const columns = 3 * units;
  const draw: InitialWeight['draw'] = (random) =>
    random.uniforms(rows * columns).map((u) => (2 * u - 1) * limit);
  return { shape: [rows, columns], draw };
}
