import { setImmediate } from 'node:timers/promises';
import { TacetError } from '../../proto/errors.js';
import type { ReadText } from '../networks/text-network.js';
import { squaredNorm } from '../tensor/moment-update.js';
import { Adam } from '../tensor/optimiser.js';
import { Random } from '../tensor/random.js';
import { secureNormals } from '../tensor/secure-normals.js';
import { withSecureStream } from '../tensor/secure-stream.js';
import * as tf from '../tensor/tf.js';
import { complete, type LocalTraining } from './local-training.js';
import { type Guarantee, noiseMultiplierFor, type SampledGaussian } from './privacy-accounting.js';

/** An eighth of the texts of a holder a step. */
const SAMPLING_RATE = 0.125;
/** The best of several on invented notes (docs/results/training-together.md). */
export const PRIVATE_RATE = 0.003;
const PRIVATE_NORM = 0.1;

export interface PrivateConfig {
  readonly learningRate: number;
  /** q, the probability that a step sees a given text. */
  readonly samplingRate: number;
  /** C: the gradient of one text is scaled down to this norm. */
  readonly clipNorm: number;
  /** σ: the noise has the standard deviation σ C. */
  readonly noiseMultiplier: number;
}

/** What privacy rests on: who can draw it again takes the noise off. */
export interface PrivateDraws {
  /** In [0, 1). */
  uniform(): number;
  normals(n: number): Float32Array;
}

/** From the operating system's generator, for texts that are real. */
export const SECURE_DRAWS: PrivateDraws = {
  uniform: () =>
    withSecureStream((fill) => {
      const word = new Uint32Array(1);
      fill(word);
      return (word[0] as number) / 2 ** 32;
    }),
  normals: secureNormals,
};

/** Steps of an epoch: so many that each text is seen once in the mean. */
export function privateSteps({ samplingRate }: Pick<PrivateConfig, 'samplingRate'>): number {
  return Math.round(1 / samplingRate);
}

/** DP-SGD whose epochs together keep to a guarantee. */
export function privacyFor(
  guarantee: Guarantee,
  epochs: number,
  learningRate = PRIVATE_RATE,
): PrivateConfig {
  const samplingRate = SAMPLING_RATE;
  const steps = epochs * privateSteps({ samplingRate });
  return {
    ...{ samplingRate, learningRate, clipNorm: PRIVATE_NORM },
    noiseMultiplier: noiseMultiplierFor(guarantee, { samplingRate, steps }),
  };
}

/** What epochs of private training are to the accounting. */
export function mechanismOf(config: PrivateConfig, epochs: number): SampledGaussian {
  const { samplingRate, noiseMultiplier } = config;
  return { samplingRate, noiseMultiplier, steps: epochs * privateSteps(config) };
}

/**
 * One epoch of DP-SGD (Abadi et al. 2016, algorithm 1) with Adam's step: each step sees every text with
 * probability q, scales the gradient of each down to C, adds noise to their sum, and divides by the number of
 * texts that it sees in the mean. Two sets of texts that differ by one whole text are neighbours: the dropout of each
 * text has a seed of its own from `draws`, or one text more would change the gradients of those after it.
 * Returns how often a text added nothing since its loss was no number, for whoever holds the texts alone.
 */
export async function privateEpoch(
  training: LocalTraining,
  config: PrivateConfig,
  draws: PrivateDraws,
  signal?: AbortSignal,
): Promise<number> {
  const { samplingRate, learningRate } = config;
  const texts = training.texts.filter(({ tokens }) => tokens > 0);
  const variables = training.network.parameters.variables();
  const optimiser = new Adam(variables, { learningRate });
  const expected = Math.max(samplingRate * texts.length, 1);
  let leftOut = 0;
  try {
    for (let step = 0; step < privateSteps(config); step++) {
      const seen = texts.filter(() => draws.uniform() < samplingRate);
      const { sums, leftOut: own } = await clippedSums(
        training,
        seen,
        config.clipNorm,
        draws,
        signal,
      );
      leftOut += own;
      tf.tidy(() => {
        const noisy = variables.map(({ name, shape }, i) => {
          const noised = addNoise(sums[i] as Float32Array, config, draws);
          return [name, tf.tensor(noised, shape).div(expected)] as const;
        });
        optimiser.apply(Object.fromEntries(noisy));
      });
    }
  } finally {
    optimiser.dispose();
  }
  return leftOut;
}

/**
 * Of each weight the sum over texts of the gradients of their mean losses, each text's scaled down to the norm
 * where it is longer, so that one text more or less moves the sums of all weights by no more than that; and of how
 * many texts there was none.
 */
export async function clippedSums(
  { network }: LocalTraining,
  texts: readonly ReadText[],
  clipNorm: number,
  draws: Pick<PrivateDraws, 'uniform'>,
  signal?: AbortSignal,
): Promise<{ readonly sums: readonly Float32Array[]; readonly leftOut: number }> {
  const variables = network.parameters.variables();
  const sums = variables.map(({ size }) => new Float32Array(size));
  let leftOut = 0;
  for (const text of texts) {
    signal?.throwIfAborted();
    const random = new Random(seedFrom(draws));
    if (!addClipped(sums, text, variables, clipNorm, random)) leftOut++;
    await setImmediate();
  }
  return { sums, leftOut };
}

function seedFrom(draws: Pick<PrivateDraws, 'uniform'>): number {
  return Math.floor(draws.uniform() * 2 ** 32);
}

/**
 * A text whose loss or gradient is no number adds nothing: it would get past the norm, and a worker that ended at it would
 * say that it is there to whoever chose the weights. Whether it added something.
 */
function addClipped(
  sums: readonly Float32Array[],
  text: ReadText,
  variables: tf.Variable[],
  clipNorm: number,
  random: Random,
): boolean {
  let isAdded = false;
  tf.tidy(() => {
    const found = gradientsOf(text, variables, random);
    const norm = found ? Math.sqrt(squaredNorm(found)) : Number.NaN;
    if (!found || !Number.isFinite(norm)) return;
    isAdded = true;
    const scale = Math.min(1, clipNorm / norm);
    found.forEach((gradient, i) => {
      const sum = sums[i] as Float32Array;
      gradient.dataSync<'float32'>().forEach((value, place) => {
        (sum[place] as number) += scale * value;
      });
    });
  });
  return isAdded;
}

/** Of the mean loss; undefined where that, or one of them, is refused for being no number. */
function gradientsOf(
  text: ReadText,
  variables: tf.Variable[],
  random: Random,
): tf.Tensor[] | undefined {
  try {
    const loss = () => text.loss(random).div<tf.Scalar>(text.tokens);
    const gradients = complete(variables, tf.variableGrads(loss, variables).grads);
    return variables.map(({ name }) => gradients[name] as tf.Tensor);
  } catch (error) {
    if (error instanceof TacetError && error.code === 'tensor-invalid') return undefined;
    throw error;
  }
}

function addNoise(
  sum: Float32Array,
  { clipNorm, noiseMultiplier }: PrivateConfig,
  draws: PrivateDraws,
): Float32Array {
  const normals = draws.normals(sum.length);
  return sum.map((value, i) => value + noiseMultiplier * clipNorm * (normals[i] as number));
}
