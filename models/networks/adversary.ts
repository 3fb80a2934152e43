import { bilstmLastStates } from '../tensor/last-states.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import type { AdversaryConfig } from './adversary-config.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights } from './initial-weights.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';

/** Which of the two discriminators speak; the paper's adversary is the mean of both. */
export type AdversaryTask = 'T1' | 'T2' | 'both';

/** A batch of pairs. Real: `second` is a release of the sentence itself; fake: of its moved twin. */
export interface PairBatch {
  /** E(x) [P, T, I]. */
  readonly embeddings: tf.Tensor3D;
  /** A release of x [P, T, d]. */
  readonly first: tf.Tensor3D;
  /** A release of x or of x' [P, T, d], drawn independently of `first`. */
  readonly second: tf.Tensor3D;
  readonly lengths: Int32Array;
}

/** Probabilities are kept this far from 0 and 1 in the loss. */
export const PROBABILITY_MARGIN = 1e-6;

/**
 * The adversary of Friedrich et al. 2019, section 5.3: T1 sees (embedding, representation), T2 sees
 * (representation, representation, cosine), each a BiLSTM whose last states feed one sigmoid unit.
 */
export class Adversary {
  readonly parameters: Parameters;

  private constructor(
    readonly config: AdversaryConfig,
    weights: NamedArrays,
  ) {
    this.parameters = new Parameters(weights);
  }

  static create(config: AdversaryConfig, random: Random): Adversary {
    const { inputDimension: I, dimension: d, units } = config;
    return new Adversary(
      config,
      drawWeights(
        {
          ...bilstmWeights('T1/bilstm', I + d, units),
          ...denseWeights('T1', 2 * units, 1),
          ...bilstmWeights('T2/bilstm', 2 * d + 1, units),
          ...denseWeights('T2', 2 * units, 1),
        },
        random,
      ),
    );
  }

  static fromWeights(config: AdversaryConfig, weights: NamedArrays): Adversary {
    return new Adversary(config, weights);
  }

  /** The probability that each pair is real, [P]. */
  probabilities(pairs: PairBatch, task: AdversaryTask = 'both'): tf.Tensor1D {
    const { embeddings, first, second, lengths } = pairs;
    const t1 = () => this.#discriminate('T1', tf.concat([embeddings, second], 2), lengths);
    const t2 = () =>
      this.#discriminate('T2', tf.concat([first, second, cosine(first, second)], 2), lengths);
    if (task === 'T1') return t1();
    if (task === 'T2') return t2();
    return t1().add<tf.Tensor1D>(t2()).div(2);
  }

  dispose(): void {
    this.parameters.dispose();
  }

  #discriminate(name: 'T1' | 'T2', x: tf.Tensor3D, lengths: Int32Array): tf.Tensor1D {
    const hidden = bilstmLayer(this.parameters, `${name}/bilstm`, x, lengths); // [P, T, 2H]
    const last = bilstmLastStates(hidden, lengths); // [P, 2H]
    return tf.sigmoid(denseLayer(this.parameters, name, last)).reshape([-1]);
  }
}

/** Mean binary cross-entropy of probabilities [P] against targets [P] (1 = real). */
export function adversaryLoss(probabilities: tf.Tensor1D, real: Float32Array): tf.Scalar {
  const y = tf.tensor1d(real);
  const p = probabilities.mul(1 - 2 * PROBABILITY_MARGIN).add(PROBABILITY_MARGIN);
  const likelihood = y.mul(tf.log(p)).add(tf.sub(1, y).mul(tf.log(tf.sub(1, p))));
  return tf.mean(likelihood).neg() as tf.Scalar;
}

/** Cosine at each token, [P, T, d] twice to [P, T, 1]. */
export function cosine(a: tf.Tensor3D, b: tf.Tensor3D): tf.Tensor3D {
  const product = tf.sum<tf.Tensor3D>(a.mul(b), 2, true);
  const squares = tf.sum(a.square(), 2, true).mul(tf.sum(b.square(), 2, true));
  return product.div(tf.sqrt(squares.add(1e-12)));
}
