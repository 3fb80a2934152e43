import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { Parameters } from './parameters.js';

const HIDDEN = 64;

/** Reads a class out of a vector: two dense layers. */
export class Probe {
  readonly parameters: Parameters;

  constructor(inputs: number, classes: number, random: Random) {
    this.parameters = Parameters.fresh(
      { ...denseWeights('hidden', inputs, HIDDEN), ...denseWeights('output', HIDDEN, classes) },
      random,
    );
  }

  /** A score of each class, [P, I] to [P, C]. */
  logits(x: tf.Tensor2D): tf.Tensor2D {
    const hidden = denseLayer(this.parameters, 'hidden', x, 'relu'); // [P, HIDDEN]
    return denseLayer(this.parameters, 'output', hidden);
  }
}
