import { type CrfWeights, crfDecode, crfNegativeLogLikelihood } from '../tensor/crf.js';
import { dropout } from '../tensor/dropout.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { CASINGS } from '../text/casing.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights, requireWeights } from './initial-weights.js';
import { zeros } from './initialisers.js';
import type { CrfValues } from './label-posterior.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';
import { embed, trainedVectors, type WordVectors } from './trained-vectors.js';

export interface DeidentifierConfig {
  /** D, the length of an input vector: E on raw text, d on representations. */
  readonly inputDimension: number;
  /** L, the number of IOB2 labels. */
  readonly labels: number;
  /** H, LSTM units a direction. */
  readonly units: number;
  readonly layers: number;
  readonly inputDropout: number;
  readonly recurrentDropout: number;
  readonly outputDropout: number;
  /** Whether a token's casing is an input too; it is where this is left out. */
  readonly casing?: boolean;
}

/** Friedrich et al. 2019, Table 1. */
export const DEIDENTIFIER_DEFAULTS = {
  units: 128,
  layers: 2,
  inputDropout: 0.1,
  recurrentDropout: 0.25,
  outputDropout: 0.5,
} as const;

/**
 * The tagger of Friedrich et al. 2019, section 3: token vectors with a casing feature, a stacked
 * BiLSTM, and a linear-chain CRF over IOB2 labels.
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

  /** E(x) [B, T, D] of vocabulary ids [B·T], for a de-identifier on raw text. */
  embed(vocabulary: WordVectors, ids: Int32Array, steps: number): tf.Tensor3D {
    return embed(vocabulary, this.parameters.matrix('trained'), ids, steps);
  }

  /** CRF emissions [B, T, L] of vectors [B, T, D] and casing [B·T]; dropout where `random` is given. */
  emissions(x: tf.Tensor3D, casing: Uint8Array, lengths: Int32Array, random?: Random): tf.Tensor3D {
    const { config, parameters } = this;
    const [B, T] = x.shape;
    let hidden = casingInputs(config) > 0 ? tf.concat3d([x, casingOneHot(casing, B, T)], 2) : x; // [B, T, D + 7 or 0]
    if (random) hidden = dropout(hidden, config.inputDropout, random) as tf.Tensor3D;
    for (let layer = 0; layer < config.layers; layer++) {
      const recurrent = random && { rate: config.recurrentDropout, random };
      hidden = bilstmLayer(parameters, `bilstm-${layer}`, hidden, lengths, recurrent); // [B, T, 2H]
    }
    if (random) hidden = dropout(hidden, config.outputDropout, random) as tf.Tensor3D;
    return denseLayer(parameters, 'emissions', hidden);
  }

  /** Negative log-likelihood of `labels` [B·T], a scalar: the mean over tokens. */
  loss(emissions: tf.Tensor3D, labels: Int32Array, lengths: Int32Array): tf.Scalar {
    const tokens = lengths.reduce((sum, length) => sum + length, 0);
    return crfNegativeLogLikelihood(emissions, labels, lengths, this.#crf())
      .sum()
      .div<tf.Scalar>(tokens);
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
  const { inputDimension: D, labels: L, units: H, layers } = config;
  const stack = Array.from({ length: layers }, (_, layer) =>
    bilstmWeights(`bilstm-${layer}`, layer === 0 ? D + casingInputs(config) : 2 * H, H),
  );
  return {
    trained: trainedVectors(D),
    ...Object.assign({}, ...stack),
    ...denseWeights('emissions', 2 * H, L),
    'crf/transitions': zeros(L, L),
    'crf/start': zeros(L),
    'crf/end': zeros(L),
  };
}

/** How many inputs of a token tell its casing. */
function casingInputs({ casing = true }: Pick<DeidentifierConfig, 'casing'>): number {
  return casing ? CASINGS.length : 0;
}

/** [B·T] casing codes to [B, T, 7]. */
function casingOneHot(casing: Uint8Array, B: number, T: number): tf.Tensor3D {
  const values = new Float32Array(B * T * CASINGS.length);
  for (let i = 0; i < casing.length; i++) values[i * CASINGS.length + casing[i]] = 1;
  return tf.tensor3d(values, [B, T, CASINGS.length]);
}
