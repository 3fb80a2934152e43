import { recurrentMask } from '../tensor/dropout.js';
import { bilstm, type LstmWeights } from '../tensor/lstm.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import type { InitialWeight, InitialWeights } from './initial-weights.js';
import { forgetBias, glorotUniform, orthogonalGates } from './initialisers.js';
import type { Parameters } from './parameters.js';

const DIRECTIONS = ['forward', 'backward'] as const;

/** The weights of a bidirectional LSTM under `name/`. */
export function bilstmWeights(name: string, inputs: number, units: number): InitialWeights {
  const weights: Record<string, InitialWeight> = {};
  for (const direction of DIRECTIONS) {
    weights[`${name}/${direction}/kernel`] = glorotUniform(inputs, 4 * units);
    weights[`${name}/${direction}/recurrent`] = orthogonalGates(units);
    weights[`${name}/${direction}/bias`] = forgetBias(units);
  }
  return weights;
}

/** The matrices of a bidirectional layer that read its inputs. */
export function inputMatrices(name: string): string[] {
  return DIRECTIONS.map((direction) => `${name}/${direction}/kernel`);
}

export interface RecurrentDropout {
  readonly rate: number;
  readonly random: Random;
}

/**
 * One bidirectional layer, [B, T, I] to [B, T, 2H], zero beyond each sentence's length. With
 * `dropout`, one mask a sentence and direction stays on the recurrent input for all time steps
 * (variational dropout, Gal and Ghahramani 2016).
 */
export function bilstmLayer(
  parameters: Parameters,
  name: string,
  x: tf.Tensor3D,
  lengths: Int32Array,
  dropout?: RecurrentDropout,
): tf.Tensor3D {
  const forward = directionWeights(parameters, `${name}/forward`);
  const backward = directionWeights(parameters, `${name}/backward`);
  if (!dropout) return bilstm(x, forward, backward, { lengths });
  const shape: [number, number] = [x.shape[0], forward.recurrent.shape[0]];
  const recurrentMasks = {
    forward: recurrentMask(shape, dropout.rate, dropout.random),
    backward: recurrentMask(shape, dropout.rate, dropout.random),
  };
  return bilstm(x, forward, backward, { lengths, recurrentMasks });
}

function directionWeights(parameters: Parameters, name: string): LstmWeights {
  return {
    kernel: parameters.matrix(`${name}/kernel`),
    recurrent: parameters.matrix(`${name}/recurrent`),
    bias: parameters.vector(`${name}/bias`),
  };
}
