import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import type { InitialWeights } from './initial-weights.js';
import { Parameters } from './parameters.js';

export interface GeneralHeadsConfig {
  /** Names of what is predicted, a head each. */
  readonly heads: readonly string[];
  /** d, the length of a released vector. */
  readonly inputDimension: number;
  /** Of the hidden layer of each head; 0: the head is one dense layer. */
  readonly units: number;
  /** O of each head: E of a word vector, K of clusters. */
  readonly outputs: number;
}

/**
 * What reads a release for the general objective: from each token's vector alone, so that whatever it
 * predicts must be in that vector. It is trained with f and then thrown away: no bundle holds it.
 */
export class GeneralHeads {
  readonly parameters: Parameters;

  private constructor(
    readonly config: GeneralHeadsConfig,
    random: Random,
  ) {
    this.parameters = Parameters.fresh(generalHeadsWeights(config), random);
  }

  static create(config: GeneralHeadsConfig, random: Random): GeneralHeads {
    return new GeneralHeads(config, random);
  }

  /** What a head says of released vectors [N, d], [N, O]. */
  predict(head: string, releases: tf.Tensor2D): tf.Tensor2D {
    const { parameters, config } = this;
    const hidden =
      config.units === 0 ? releases : denseLayer(parameters, `${head}/hidden`, releases, 'relu'); // [N, H]
    return denseLayer(parameters, head, hidden);
  }

  dispose(): void {
    this.parameters.dispose();
  }
}

function generalHeadsWeights(config: GeneralHeadsConfig): InitialWeights {
  const { heads, inputDimension: d, units: H, outputs: O } = config;
  const layers = heads.map((head) =>
    H === 0
      ? denseWeights(head, d, O)
      : { ...denseWeights(`${head}/hidden`, d, H), ...denseWeights(head, H, O) },
  );
  return Object.assign({}, ...layers);
}
