import { type CrfWeights, crfDecode, crfNegativeLogLikelihood } from '../tensor/crf.js';
import { dropout } from '../tensor/dropout.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import type { CharacterConfig } from './character-encoder.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights, requireWeights } from './initial-weights.js';
import { zeros } from './initialisers.js';
import type { CrfValues } from './label-posterior.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';
import {
  inputsOf,
  type TokenInputs,
  type TokenWords,
  tokenInputs,
  tokenInputWeights,
} from './token-inputs.js';

export interface DeidentifierConfig extends CharacterConfig {
  /** D, the length of a token's vector: E on raw text, d on representations. */
  readonly inputDimension: number;
  /** L, the number of IOB2 labels. */
  readonly labels: number;
  /** H, LSTM units a direction. */
  readonly units: number;
  readonly layers: number;
  readonly inputDropout: number;
  readonly recurrentDropout: number;
  readonly outputDropout: number;
  /**
   * Whether a token's casing is an input beside its word vector; it is where this is left out. What is
   * released holds it already, so that a de-identifier on representations has no such input.
   */
  readonly casing?: boolean;
}

/** The inputs of a de-identifier on released vectors, beside which nothing is shared. */
export const VECTORS_ALONE = { casing: false, characters: 'none' } as const;

/**
 * Friedrich et al. 2019, Table 1. Its dropout on the input embedding is on all inputs here, the casing among
 * them, and its dropout after the LSTM once, before the last layer.
 */
export const DEIDENTIFIER_DEFAULTS = {
  units: 128,
  layers: 2,
  inputDropout: 0.1,
  recurrentDropout: 0.25,
  outputDropout: 0.5,
} as const;

/**
 * The tagger of Friedrich et al. 2019, section 3: token vectors, on text with a casing feature and,
 * where asked for, characters, a stacked BiLSTM, and a linear-chain CRF over IOB2 labels.
 */
export class Deidentifier {
  readonly parameters: Parameters;

  private constructor(
    readonly config: DeidentifierConfig,
    weights: NamedArrays,
  ) {
    this.parameters = new Parameters(weights);
  }

  static create(config: DeidentifierConfig, random: Random): Deidentifier {
    return new Deidentifier(config, drawWeights(deidentifierWeights(config), random));
  }

  /** Throws `bundle-invalid` where the weights are not those of the config. */
  static fromWeights(config: DeidentifierConfig, weights: NamedArrays): Deidentifier {
    requireWeights('deidentifier', weights, deidentifierWeights(config));
    return new Deidentifier(config, weights);
  }

  /** E(x) [B, T, I] of vocabulary ids [B·T], for a de-identifier on raw text. */
  embed(vocabulary: TokenWords, ids: Int32Array, steps: number): tf.Tensor3D {
    return tokenInputs(this.parameters, vocabulary, ids, steps, tokenInputsOf(this.config));
  }

  /** CRF emissions [B, T, L] of inputs [B, T, I]; dropout where `random` is given. */
  emissions(x: tf.Tensor3D, lengths: Int32Array, random?: Random): tf.Tensor3D {
    const { config, parameters } = this;
    let hidden = x;
    if (random) hidden = dropout(hidden, config.inputDropout, random) as tf.Tensor3D;
    for (let layer = 0; layer < config.layers; layer++) {
      const recurrent = random && { rate: config.recurrentDropout, random };
      hidden = bilstmLayer(parameters, `bilstm-${layer}`, hidden, lengths, recurrent); // [B, T, 2H]
    }
    if (random) hidden = dropout(hidden, config.outputDropout, random) as tf.Tensor3D;
    return denseLayer(parameters, 'emissions', hidden);
  }

  /**
   * Negative log-likelihood of `labels` [B·T], a scalar: the sum over sentences, each times its own of
   * `weights` [B] where there are some, by the number of tokens.
   */
  loss(
    emissions: tf.Tensor3D,
    labels: Int32Array,
    lengths: Int32Array,
    weights?: Float32Array,
  ): tf.Scalar {
    const tokens = lengths.reduce((sum, length) => sum + length, 0);
    const losses = crfNegativeLogLikelihood(emissions, labels, lengths, this.#crf()); // [B]
    const weighted = weights ? losses.mul<tf.Tensor1D>(tf.tensor1d(weights)) : losses;
    return weighted.sum().div<tf.Scalar>(tokens);
  }

  /** The most likely labels [B·T] (Viterbi). */
  decode(emissions: tf.Tensor3D, lengths: Int32Array): Int32Array {
    return crfDecode(emissions, lengths, this.#crf());
  }

  /** The CRF's weights as plain numbers, for posteriors. */
  crfValues(): CrfValues {
    const { transitions, start, end } = this.#crf();
    return {
      transitions: transitions.dataSync<'float32'>(),
      start: start.dataSync<'float32'>(),
      end: end.dataSync<'float32'>(),
    };
  }

  dispose(): void {
    this.parameters.dispose();
  }

  #crf(): CrfWeights {
    return {
      transitions: this.parameters.matrix('crf/transitions'),
      start: this.parameters.vector('crf/start'),
      end: this.parameters.vector('crf/end'),
    };
  }
}

export function deidentifierWeights(config: DeidentifierConfig): InitialWeights {
  const { labels: L, units: H, layers } = config;
  const inputs = tokenInputsOf(config);
  const stack = Array.from({ length: layers }, (_, layer) =>
    bilstmWeights(`bilstm-${layer}`, layer === 0 ? inputsOf(inputs) : 2 * H, H),
  );
  return {
    ...tokenInputWeights(inputs),
    ...Object.assign({}, ...stack),
    ...denseWeights('emissions', 2 * H, L),
    'crf/transitions': zeros(L, L),
    'crf/start': zeros(L),
    'crf/end': zeros(L),
  };
}

function tokenInputsOf(config: DeidentifierConfig): TokenInputs {
  return { ...config, dimension: config.inputDimension, casing: config.casing ?? true };
}
