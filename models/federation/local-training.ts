import { setImmediate } from 'node:timers/promises';
import type { ReadText, TextNetwork } from '../networks/text-network.js';
import { Adam } from '../tensor/optimiser.js';
import type { Random } from '../tensor/random.js';
import { Sgd } from '../tensor/sgd.js';
import * as tf from '../tensor/tf.js';
import { flatWeights, loadFlat } from './flat-weights.js';

export type LocalOptimiser =
  | { readonly kind: 'sgd'; readonly learningRate: number; readonly clipValue?: number }
  | { readonly kind: 'adam'; readonly learningRate: number; readonly clipNorm: number };

export interface LocalConfig {
  readonly optimiser: LocalOptimiser;
  /** Of a text the sum over its tokens, or that by their number. */
  readonly loss: 'sum' | 'mean';
}

/** Festag and Spreckelsen 2020: plain SGD at a rate of 0.9, one text a step, a sum over its tokens. */
export const FESTAG_TRAINING: LocalConfig = {
  optimiser: { kind: 'sgd', learningRate: 0.9 },
  loss: 'sum',
};
/** NeuroNER. */
export const NEURONER_TRAINING: LocalConfig = {
  optimiser: { kind: 'sgd', learningRate: 0.005, clipValue: 5 },
  loss: 'sum',
};
/** Ours, with Adam. */
export const ADAM_TRAINING: LocalConfig = {
  optimiser: { kind: 'adam', learningRate: 0.001, clipNorm: 1 },
  loss: 'mean',
};

/** In place of the rate and the loss that a network comes with. */
export interface TrainingSettings {
  readonly learningRate?: number | undefined;
  readonly loss?: LocalConfig['loss'] | undefined;
}

export function withSettings(
  config: LocalConfig,
  { learningRate = config.optimiser.learningRate, loss = config.loss }: TrainingSettings,
): LocalConfig {
  return { optimiser: { ...config.optimiser, learningRate }, loss };
}

/** What one holder of texts does at home: a network, its texts, and epochs over them. */
export class LocalTraining {
  #epochs = 0;

  /** `copies`: of all texts, of which each epoch has one beside the texts, in turn. */
  constructor(
    readonly network: TextNetwork,
    readonly texts: readonly ReadText[],
    private readonly config: LocalConfig,
    private readonly copies: readonly (readonly ReadText[])[] = [],
  ) {}

  /** How many texts an epoch has. */
  get textsPerEpoch(): number {
    return this.texts.length * (this.copies.length > 0 ? 2 : 1);
  }

  /** A copy of all weights, [N]. */
  weights(): Float32Array {
    return flatWeights(this.network.parameters);
  }

  load(weights: Float32Array): void {
    loadFlat(this.network.parameters, weights);
  }

  /**
   * One epoch: every text once, and once in a copy where there are any, in an order drawn anew, a step each. Returns the mean loss a token. An
   * optimiser's moments begin anew with each epoch, since the weights may come from elsewhere. Throws
   * `training-diverged`.
   */
  async epoch(random: Random, signal?: AbortSignal): Promise<number> {
    const variables = this.network.parameters.variables();
    const optimiser = optimiserOf(this.config.optimiser, variables);
    const copy = this.copies[this.#epochs++ % this.copies.length] ?? [];
    const order = [...this.texts, ...copy].filter(({ tokens }) => tokens > 0);
    random.shuffle(order);
    let sum = 0;
    let tokens = 0;
    try {
      for (const text of order) {
        signal?.throwIfAborted();
        sum += tf.tidy(() => {
          const { value, grads } = tf.variableGrads(() => this.#loss(text, random), variables);
          optimiser.apply(complete(variables, grads));
          return value.dataSync<'float32'>()[0] * (this.config.loss === 'sum' ? 1 : text.tokens);
        });
        tokens += text.tokens;
        await setImmediate();
      }
    } finally {
      optimiser.dispose();
    }
    return sum / Math.max(tokens, 1);
  }

  dispose(): void {
    this.network.dispose();
  }

  #loss(text: ReadText, random: Random): tf.Scalar {
    const sum = text.loss(random);
    return this.config.loss === 'sum' ? sum : sum.div<tf.Scalar>(text.tokens);
  }
}

/** A weight that the loss does not reach has gradient zero. */
export function complete(
  variables: readonly tf.Variable[],
  gradients: tf.NamedTensorMap,
): tf.NamedTensorMap {
  return Object.fromEntries(
    variables.map((each) => [each.name, gradients[each.name] ?? tf.zerosLike(each)]),
  );
}

function optimiserOf(config: LocalOptimiser, variables: readonly tf.Variable[]): Sgd | Adam {
  const { kind, ...options } = config;
  return kind === 'sgd' ? new Sgd(variables, options) : new Adam([...variables], options);
}
