import { type Activation, dense } from '../tensor/dense.js';
import type * as tf from '../tensor/tf.js';
import type { InitialWeights } from './initial-weights.js';
import { glorotUniform, zeros } from './initialisers.js';
import type { Parameters } from './parameters.js';

/** The weights of a dense layer under `name/`. */
export function denseWeights(name: string, inputs: number, outputs: number): InitialWeights {
  return {
    [`${name}/kernel`]: glorotUniform(inputs, outputs),
    [`${name}/bias`]: zeros(outputs),
  };
}

/** One dense layer over the last axis, [..., I] to [..., O]. */
export function denseLayer<T extends tf.Tensor>(
  parameters: Parameters,
  name: string,
  x: T,
  activation?: Activation,
): T {
  const kernel = parameters.matrix(`${name}/kernel`);
  return dense(x, kernel, parameters.vector(`${name}/bias`), activation) as T;
}
