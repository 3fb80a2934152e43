import { TacetError } from '../../proto/errors.js';
import { addGaussianNoise, gaussianNoise } from '../tensor/gaussian-noise.js';
import { l2Normalise } from '../tensor/l2-normalise.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights, requireWeights } from './initial-weights.js';
import { filled, zeros } from './initialisers.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';
import type { RepresentationConfig } from './representation-config.js';
import { STDDEV_FLOOR } from './stddev-floor.js';
import {
  inputsOf,
  type TokenInputs,
  type TokenWords,
  tokenInputs,
  tokenInputWeights,
} from './token-inputs.js';

/** What the output noise is added to, and how much of it: σ_out is [d], or [B, T, d] where it depends. */
export interface NoiselessOutput {
  readonly mean: tf.Tensor3D;
  readonly stddev: tf.Tensor1D | tf.Tensor3D;
}

/**
 * The shared representation, R = N_out + f(E + N_in) (Friedrich et al. 2019, section 5.2, equation 1): f is a
 * BiLSTM, a projection and a scaling of each token's vector to unit length; both noises are
 * Gaussian with one trained standard deviation a dimension. In the paper f is the BiLSTM alone, and its
 * code brings vectors to one norm after the noise (`FORMS`); here the norm is fixed before it, so
 * that no training can outgrow the noise. The casing of a token and its characters are
 * inputs of f beside its word vector, never in clear, where they tell a sentence that somebody holds from
 * all others.
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
    requireDimension(config, 'config-invalid');
    return new Representation(config, drawWeights(representationWeights(config), random));
  }

  /** Throws `bundle-invalid` where the weights are not those of the config. */
  static fromWeights(config: RepresentationConfig, weights: NamedArrays): Representation {
    requireDimension(config, 'bundle-invalid');
    requireWeights('representation', weights, representationWeights(config));
    return new Representation(config, weights);
  }

  /** I, numbers a token that f sees: its word vector, 7 for its casing, and those of its characters. */
  get inputDimension(): number {
    return inputsOf(tokenInputsOf(this.config));
  }

  /** E(x) [B, T, I] of vocabulary ids [B·T], −1 for padding. */
  embed(vocabulary: TokenWords, ids: Int32Array, steps: number): tf.Tensor3D {
    return tokenInputs(this.parameters, vocabulary, ids, steps, tokenInputsOf(this.config));
  }

  /**
   * What the output noise is added to, [B, T, I] to [B, T, d]: unit vectors in the form that is published;
   * rows beyond a length mean nothing.
   */
  mean(x: tf.Tensor3D, lengths: Int32Array): tf.Tensor3D {
    return this.#project(this.#hidden(x, lengths), x);
  }

  /** What is released of x, were both noises off: what a tagger reads where nothing leaves, [B, T, d]. */
  noiseless(x: tf.Tensor3D, lengths: Int32Array): tf.Tensor3D {
    return this.released(this.mean(x, lengths));
  }

  /** As `mean`, with the standard deviation of the noise that a release adds to it. */
  output(x: tf.Tensor3D, lengths: Int32Array): NoiselessOutput {
    const hidden = this.#hidden(x, lengths); // [B, T, 2H]
    const mean = this.#project(hidden, x);
    if (this.config.noise !== 'dependent') return { mean, stddev: this.outputStddev() };
    return { mean, stddev: stddev(denseLayer(this.parameters, 'noise/output', hidden)) };
  }

  /** R(x) [B, T, I] to [B, T, d], with training noise drawn from `random`. */
  forward(x: tf.Tensor3D, lengths: Int32Array, random: Random): tf.Tensor3D {
    const noisy = addGaussianNoise(x, this.inputStddev(), random) as tf.Tensor3D;
    const { mean, stddev } = this.output(noisy, lengths);
    if (stddev.rank === 1)
      return this.released(addGaussianNoise(mean, stddev as tf.Tensor1D, random));
    const normals = gaussianNoise<tf.Tensor3D>(mean.shape, tf.ones([mean.shape[2]]), random);
    return this.released(mean.add(normals.mul(stddev)));
  }

  /**
   * What becomes of f(x) and its noise before it leaves: nothing, or unit length in the form `scaled-after`.
   * Whatever bounds what one tells bounds the other too, since it is computed from it alone.
   */
  released(noisy: tf.Tensor3D): tf.Tensor3D {
    return this.config.form === 'scaled-after' ? l2Normalise(noisy) : noisy;
  }

  /** σ_in [I], positive. */
  inputStddev(): tf.Tensor1D {
    return stddev(this.parameters.vector('noise/input'));
  }

  /** σ_out [d], positive. Throws `not-certified` where it depends on the input. */
  outputStddev(): tf.Tensor1D {
    if (this.config.noise === 'dependent')
      throw new TacetError(
        'not-certified',
        'not certified: the output noise of this representation depends on its input, so what ' +
          'rests on one standard deviation a dimension does not hold; train with constant noise',
      );
    return stddev(this.parameters.vector('noise/output'));
  }

  /**
   * Multiplies σ_out; f stays as it is, so every Δ of a pair becomes smaller by that factor. Throws
   * `not-certified` where σ_out depends on the input.
   */
  amplifyOutputNoise(factor: number): void {
    const trained = tf.tidy(() => this.outputStddev().dataSync<'float32'>());
    const data = trained.map((each) => softplusInverse(factor * each - STDDEV_FLOOR));
    const shape = [data.length];
    this.parameters.load({ ...this.parameters.toArrays(), 'noise/output': { shape, data } });
  }

  dispose(): void {
    this.parameters.dispose();
  }

  #hidden(x: tf.Tensor3D, lengths: Int32Array): tf.Tensor3D {
    return bilstmLayer(this.parameters, 'bilstm', x, lengths);
  }

  #project(hidden: tf.Tensor3D, x: tf.Tensor3D): tf.Tensor3D {
    if (this.config.form === 'lstm-alone') return hidden;
    const read = this.config.residual ? tf.concat([hidden, x], 2) : hidden; // [B, T, 2H or 2H + I]
    const projected = denseLayer(this.parameters, 'projection', read);
    return this.config.form === 'scaled-after' ? projected : l2Normalise(projected);
  }
}

/** Before training, σ_in and σ_out are everywhere the same, whatever the input. */
export function representationWeights(config: RepresentationConfig): InitialWeights {
  const { units: H, dimension: d } = config;
  const inputs = tokenInputsOf(config);
  const I = inputsOf(inputs);
  const inputLevel = softplusInverse(config.initialInputStddev - STDDEV_FLOOR);
  const outputLevel = softplusInverse(config.initialOutputStddev - STDDEV_FLOOR);
  return {
    ...tokenInputWeights(inputs),
    'noise/input': filled(inputLevel, I),
    ...bilstmWeights('bilstm', I, H),
    ...(config.form !== 'lstm-alone' &&
      denseWeights('projection', config.residual ? 2 * H + I : 2 * H, d)),
    ...(config.noise === 'dependent'
      ? { 'noise/output/kernel': zeros(2 * H, d), 'noise/output/bias': filled(outputLevel, d) }
      : { 'noise/output': filled(outputLevel, d) }),
  };
}

function tokenInputsOf(config: RepresentationConfig): TokenInputs {
  const { embeddingDimension: dimension, casing = false, unitInputs: unit = false } = config;
  return { ...config, dimension, casing, unit };
}

/** An LSTM's output is as long as its units are many. */
function requireDimension(
  { form, units, dimension }: RepresentationConfig,
  code: 'config-invalid' | 'bundle-invalid',
): void {
  if (form !== 'lstm-alone' || dimension === 2 * units) return;
  throw new TacetError(
    code,
    `representation.dimension: expected ${2 * units}, twice representation.units, of the form 'lstm-alone', found ${dimension}`,
  );
}

function stddev<T extends tf.Tensor>(raw: T): T {
  return tf.softplus(raw).add<T>(STDDEV_FLOOR);
}

function softplusInverse(value: number): number {
  return Math.log(Math.expm1(Math.max(value, 1e-6)));
}
