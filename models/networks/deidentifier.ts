import { TacetError } from '../../proto/errors.js';
import { type CrfWeights, crfDecode, crfNegativeLogLikelihood } from '../tensor/crf.js';
import { softmaxCrossEntropy } from '../tensor/cross-entropy.js';
import { dropout } from '../tensor/dropout.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import type { DeidentifierConfig } from './deidentifier-config.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights, requireWeights } from './initial-weights.js';
import { zeros } from './initialisers.js';
import type { NamedArrays } from './named-arrays.js';
import type { CrfValues } from './opinion-pool.js';
import { Parameters } from './parameters.js';
import {
  attentionSizes,
  sequenceToSequence,
  sequenceToSequenceWeights,
} from './sequence-to-sequence.js';
import {
  casingOneHot,
  inputsOf,
  type TokenInputs,
  type TokenWords,
  tokenInputs,
  tokenInputWeights,
} from './token-inputs.js';

/** Label of a token that is no PHI: of sequence to sequence, copy. */
const OUTSIDE = 0;

/**
 * The tagger of Friedrich et al. 2019, section 3: token vectors, on text with a casing feature and,
 * where asked for, characters, a stacked BiLSTM, and a linear-chain CRF over IOB2 labels. Or the encoder
 * and decoder of Anjum et al. 2021 on the same inputs, which decide each token's output by itself.
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
    requireHeads(config, 'config-invalid');
    return new Deidentifier(config, drawWeights(deidentifierWeights(config), random));
  }

  /** Throws `bundle-invalid` where the weights are not those of the config. */
  static fromWeights(config: DeidentifierConfig, weights: NamedArrays): Deidentifier {
    requireHeads(config, 'bundle-invalid');
    requireWeights('deidentifier', weights, deidentifierWeights(config));
    return new Deidentifier(config, weights);
  }

  /** E(x) [B, T, I] of vocabulary ids [B·T], for a de-identifier on raw text; `given` as `tokenInputs` takes it. */
  embed(vocabulary: TokenWords, ids: Int32Array, steps: number, given?: tf.Tensor3D): tf.Tensor3D {
    const inputs = tokenInputsOf(this.config);
    return tokenInputs(this.parameters, vocabulary, ids, steps, inputs, given);
  }

  /**
   * Its inputs [B, T, I] where it reads representations [B, T, d] of vocabulary ids [B·T], −1 where the word is not
   * known: these alone, or with the casing of each token beside them, or with all that is read of text.
   */
  beside(representations: tf.Tensor3D, vocabulary: TokenWords, ids: Int32Array): tf.Tensor3D {
    const steps = representations.shape[1];
    if (this.config.wordDimension !== undefined)
      return tf.concat3d([representations, this.embed(vocabulary, ids, steps)], 2);
    if (!this.config.casingInClear) return representations;
    return tf.concat3d([representations, casingOneHot(vocabulary, ids, steps)], 2);
  }

  /**
   * Scores of each label, [B, T, L], of inputs [B, T, I]: the CRF's emissions, or the logarithms of an
   * output's odds. Dropout where `random` is given.
   */
  emissions(x: tf.Tensor3D, lengths: Int32Array, random?: Random): tf.Tensor3D {
    const { config, parameters } = this;
    const read = random ? (dropout(x, config.inputDropout, random) as tf.Tensor3D) : x;
    const hidden = isSequenceToSequence(config)
      ? sequenceToSequence(parameters, config, read, lengths, random) // [B, T, W]
      : this.#bilstm(read, lengths, random); // [B, T, 2H]
    const kept = random ? (dropout(hidden, config.outputDropout, random) as tf.Tensor3D) : hidden;
    return denseLayer(parameters, 'emissions', kept);
  }

  /**
   * Negative log-likelihood of `labels` [B·T], a scalar: the sum over sentences, each times its own of
   * `weights` [B] where there are some, by the number of tokens. Of sequence to sequence the sum over
   * tokens, those of PHI times `phiWeight`.
   */
  loss(
    emissions: tf.Tensor3D,
    labels: Int32Array,
    lengths: Int32Array,
    weights?: Float32Array,
  ): tf.Scalar {
    const tokens = lengths.reduce((sum, length) => sum + length, 0);
    if (isSequenceToSequence(this.config))
      return this.#tokenLosses(emissions, labels, lengths, weights).sum().div<tf.Scalar>(tokens);
    const losses = crfNegativeLogLikelihood(emissions, labels, lengths, this.#crf()); // [B]
    const weighted = weights ? losses.mul<tf.Tensor1D>(tf.tensor1d(weights)) : losses;
    return weighted.sum().div<tf.Scalar>(tokens);
  }

  /** What `loss` comes to, at most, where all labels of a token are alike. */
  get guessing(): number {
    const { labels, phiWeight = 1 } = this.config;
    return Math.log(labels) * (isSequenceToSequence(this.config) ? Math.max(1, phiWeight) : 1);
  }

  /** The most likely labels [B·T] (Viterbi); of sequence to sequence, each token's most likely one. */
  decode(emissions: tf.Tensor3D, lengths: Int32Array): Int32Array {
    return scoped(() => crfDecode(emissions, lengths, this.#crf()));
  }

  /** The CRF's weights as plain numbers, for posteriors; zeros where each token is decided by itself. */
  crfValues(): CrfValues {
    return scoped(() => {
      const { transitions, start, end } = this.#crf();
      return {
        transitions: transitions.dataSync<'float32'>(),
        start: start.dataSync<'float32'>(),
        end: end.dataSync<'float32'>(),
      };
    });
  }

  dispose(): void {
    this.parameters.dispose();
  }

  #bilstm(x: tf.Tensor3D, lengths: Int32Array, random?: Random): tf.Tensor3D {
    const { layers, recurrentDropout: rate } = this.config;
    let hidden = x;
    for (let layer = 0; layer < layers; layer++) {
      const recurrent = random && { rate, random };
      hidden = bilstmLayer(this.parameters, `bilstm-${layer}`, hidden, lengths, recurrent);
    }
    return hidden;
  }

  /** [B·T], zero at padding. */
  #tokenLosses(
    emissions: tf.Tensor3D,
    labels: Int32Array,
    lengths: Int32Array,
    weights?: Float32Array,
  ): tf.Tensor1D {
    const { phiWeight = 1 } = this.config;
    const [B, T, L] = emissions.shape;
    const counted = new Float32Array(B * T);
    lengths.forEach((length, row) => {
      for (let at = row * T; at < row * T + length; at++)
        counted[at] = (weights?.[row] ?? 1) * (labels[at] === OUTSIDE ? 1 : phiWeight);
    });
    return softmaxCrossEntropy(emissions.reshape([B * T, L]), labels).mul(tf.tensor1d(counted));
  }

  #crf(): CrfWeights {
    if (isSequenceToSequence(this.config)) return noTransitions(this.config.labels);
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
  const released = config.wordDimension === undefined ? 0 : config.inputDimension;
  const read = released + inputsOf(inputs);
  if (isSequenceToSequence(config))
    return {
      ...tokenInputWeights(inputs),
      ...sequenceToSequenceWeights(config, read),
      ...denseWeights('emissions', H, L),
    };
  const stack = Array.from({ length: layers }, (_, layer) =>
    bilstmWeights(`bilstm-${layer}`, layer === 0 ? read : 2 * H, H),
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

export function isSequenceToSequence({ network }: Pick<DeidentifierConfig, 'network'>): boolean {
  return network === 'sequence-to-sequence';
}

/** A CRF that leaves every token's label to its emissions. */
function noTransitions(L: number): CrfWeights {
  return { transitions: tf.zeros([L, L]), start: tf.zeros([L]), end: tf.zeros([L]) };
}

function requireHeads(config: DeidentifierConfig, code: 'config-invalid' | 'bundle-invalid'): void {
  if (!isSequenceToSequence(config)) return;
  const { width, heads } = attentionSizes(config);
  if (width % heads !== 0)
    throw new TacetError(
      code,
      `deidentifier: ${width} units cannot be shared out among ${heads} heads; expected a multiple of them`,
    );
}

function tokenInputsOf(config: DeidentifierConfig): TokenInputs {
  const casing = config.casingInClear || (config.casing ?? true);
  return { ...config, dimension: config.wordDimension ?? config.inputDimension, casing };
}
