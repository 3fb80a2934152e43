import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { Parameters } from './parameters.js';

export interface DecoderConfig {
  /** I, numbers a token that the decoder reads. */
  readonly inputs: number;
  /** W, numbers by which the dictionary knows a word. */
  readonly wordDimension: number;
  /** LSTM units a direction. */
  readonly units: number;
}

/**
 * Reads words out of vectors: a BiLSTM beside the vectors themselves, projected into the space of
 * the public word vectors, where every word of a dictionary is scored by its inner product. So it
 * can name words that it never saw while it learned.
 */
export class Decoder {
  readonly parameters: Parameters;

  /** `prior` [V]: the log-probability of each word of the dictionary before anything is seen. */
  constructor(
    { inputs, wordDimension: W, units }: DecoderConfig,
    prior: Float32Array,
    random: Random,
  ) {
    this.parameters = Parameters.fresh(
      {
        ...bilstmWeights('bilstm', inputs, units),
        ...denseWeights('projection', inputs + 2 * units, W),
        'word/bias': { shape: [prior.length], draw: () => prior.slice() },
      },
      random,
    );
  }

  /** A score of each word of the dictionary [V, W] at each token: x [B, T, I] to [B·T, V]. */
  logits(x: tf.Tensor3D, lengths: Int32Array, dictionary: tf.Tensor2D): tf.Tensor2D {
    const hidden = bilstmLayer(this.parameters, 'bilstm', x, lengths); // [B, T, 2H]
    const features: tf.Tensor2D = tf
      .concat3d([x, hidden], 2)
      .reshape([-1, x.shape[2] + hidden.shape[2]]);
    const projected = denseLayer(this.parameters, 'projection', features);
    return tf.matMul(projected, dictionary, false, true).add(this.parameters.vector('word/bias'));
  }
}
