import { dense } from '../tensor/dense.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { glorotUniform, zeros } from './initialisers.js';
import { Parameters } from './parameters.js';

const HIDDEN = 64;

/** Reads a class out of a vector: two dense layers. */
export class Probe {
  readonly parameters: Parameters;

  constructor(inputs: number, classes: number, random: Random) {
    this.parameters = Parameters.fresh(
      {
        'hidden/kernel': glorotUniform(inputs, HIDDEN),
        'hidden/bias': zeros(HIDDEN),
        'output/kernel': glorotUniform(HIDDEN, classes),
        'output/bias': zeros(classes),
      },
      random,
    );
  }

  /** A score of each class, [P, I] to [P, C]. */
  logits(x: tf.Tensor2D): tf.Tensor2D {
    const layer = (name: string, input: tf.Tensor, activation?: 'relu') =>
      dense(
        input,
        this.parameters.matrix(`${name}/kernel`),
        this.parameters.vector(`${name}/bias`),
        activation,
      );
    return layer('output', layer('hidden', x, 'relu')) as tf.Tensor2D;
  }
}
