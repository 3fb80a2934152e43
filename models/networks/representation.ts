import { dense } from '../tensor/dense.js';
import { addGaussianNoise } from '../tensor/gaussian-noise.js';
import { l2Normalise } from '../tensor/l2-normalise.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { filled, glorotUniform, zeros } from './initialisers.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';
import { STDDEV_FLOOR } from './stddev-floor.js';
import { embed, trainedVectors, type WordVectors } from './trained-vectors.js';
import { representationShapes, requireWeights } from './weight-shapes.js';

export interface RepresentationConfig {
  /** E, the length of a word vector. */
  readonly embeddingDimension: number;
  /** H, LSTM units a direction (128 in Friedrich et al. 2019, Table 1). */
  readonly units: number;
  /** d, the length of a released vector (50, 100 or 300 in the paper). */
  readonly dimension: number;
  /** Standard deviations at the start of training; trained from there. */
  readonly initialInputStddev: number;
  readonly initialOutputStddev: number;
}

export const REPRESENTATION_DEFAULTS = {
  units: 128,
  dimension: 50,
  initialInputStddev: 0.1,
  initialOutputStddev: 0.1,
} as const;

/**
 * The shared representation, R = N_out + f(E + N_in) (Friedrich et al. 2019, section 4.2): f is a
 * BiLSTM, a projection and a scaling of each token's vector to unit length; both noises are
 * Gaussian with one trained standard deviation a dimension. The norm is fixed before the noise so
 * that a bound can be stated on what a release reveals.
 */
export class Representation {
  readonly parameters: Parameters;

  private constructor(
    readonly config: RepresentationConfig,
    weights: NamedArrays,
  ) {
    this.parameters = new Parameters(weights);
  }

  static create(config: RepresentationConfig, random: Random): Representation {
    const { embeddingDimension: E, units: H, dimension: d } = config;
    return new Representation(config, {
      trained: trainedVectors(E, random),
      'noise/input': filled(softplusInverse(config.initialInputStddev - STDDEV_FLOOR), E),
      ...bilstmWeights('bilstm', E, H, random),
      'projection/kernel': glorotUniform(2 * H, d, random),
      'projection/bias': zeros(d),
      'noise/output': filled(softplusInverse(config.initialOutputStddev - STDDEV_FLOOR), d),
    });
  }

  /** Throws `bundle-invalid` where the weights are not those of the config. */
  static fromWeights(config: RepresentationConfig, weights: NamedArrays): Representation {
    requireWeights('representation', weights, representationShapes(config));
    return new Representation(config, weights);
  }

  /** E(x) [B, T, E] of vocabulary ids [B·T], −1 for padding. */
  embed(vocabulary: WordVectors, ids: Int32Array, steps: number): tf.Tensor3D {
    return embed(vocabulary, this.parameters.matrix('trained'), ids, steps);
  }

  /** f(x) [B, T, E] to [B, T, d]: unit vectors, no noise; rows beyond a length mean nothing. */
  mean(x: tf.Tensor3D, lengths: Int32Array): tf.Tensor3D {
    const hidden = bilstmLayer(this.parameters, 'bilstm', x, lengths);
    const kernel = this.parameters.matrix('projection/kernel');
    const bias = this.parameters.vector('projection/bias');
    return l2Normalise(dense(hidden, kernel, bias) as tf.Tensor3D);
  }

  /** R(x) [B, T, E] to [B, T, d], with training noise drawn from `random`. */
  forward(x: tf.Tensor3D, lengths: Int32Array, random: Random): tf.Tensor3D {
    const noisy = addGaussianNoise(x, this.inputStddev(), random) as tf.Tensor3D;
    return addGaussianNoise(this.mean(noisy, lengths), this.outputStddev(), random) as tf.Tensor3D;
  }

  /** σ_in [E], positive. */
  inputStddev(): tf.Tensor1D {
    return stddev(this.parameters.vector('noise/input'));
  }

  /** σ_out [d], positive. */
  outputStddev(): tf.Tensor1D {
    return stddev(this.parameters.vector('noise/output'));
  }

  dispose(): void {
    this.parameters.dispose();
  }
}

function stddev(raw: tf.Tensor1D): tf.Tensor1D {
  return tf.softplus(raw).add(STDDEV_FLOOR);
}

function softplusInverse(value: number): number {
  return Math.log(Math.expm1(Math.max(value, 1e-6)));
}
