import { dense } from '../tensor/dense.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import type { Adversary, AdversaryTask, PairBatch } from './adversary.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { glorotUniform, zeros } from './initialisers.js';
import type { NamedArrays } from './named-arrays.js';
import { Parameters } from './parameters.js';

/** A batch of pairs and what an attacker who holds the bundle can compute of them. */
export interface PairEvidence extends PairBatch {
  /** f(E(x)) without noise [P, T, d]. */
  readonly clean: tf.Tensor3D;
  /** (second − f(E(x))) / σ_out [P, T, d]: standard normal but for the input noise and the move. */
  readonly residual: tf.Tensor3D;
}

/** Decides whether pairs are real. */
export interface Judge {
  readonly parameters: Parameters;
  /** Log-odds that each pair is real, [P]. */
  logits(evidence: PairEvidence): tf.Tensor1D;
}

/** The shapes of adversaries that see everything at once: all four tensors, token by token. */
export const JUDGE_SHAPES = ['bilstm', 'attention', 'pooled'] as const;
export type JudgeShape = (typeof JUDGE_SHAPES)[number];

const PROBABILITY_MARGIN = 1e-6;

/** The paper's adversary as a judge. */
export function adversaryJudge(adversary: Adversary, task: AdversaryTask): Judge {
  return {
    parameters: adversary.parameters,
    logits: (evidence) => {
      const p = adversary
        .probabilities(evidence, task)
        .mul(1 - 2 * PROBABILITY_MARGIN)
        .add<tf.Tensor1D>(PROBABILITY_MARGIN);
      return tf.log(p).sub(tf.log(tf.sub(1, p)));
    },
  };
}

/**
 * A fresh adversary of `units` a direction or a layer. `bilstm` reads the sentence in order and
 * pools its states; `attention` weighs each token's hidden layer by what it holds (Bahdanau et al.
 * 2015); `pooled` takes the mean and the maximum over tokens, whatever their order.
 */
export function freshJudge(
  shape: JudgeShape,
  { embeddingDimension: E, dimension: d }: { embeddingDimension: number; dimension: number },
  units: number,
  random: Random,
): Judge {
  const inputs = E + 5 * d;
  const token =
    shape === 'bilstm'
      ? bilstmWeights('token', inputs, units, random)
      : {
          'token/kernel': glorotUniform(inputs, 2 * units, random),
          'token/bias': zeros(2 * units),
        };
  const parameters = new Parameters({
    ...token,
    ...(shape === 'attention' && {
      'attention/kernel': glorotUniform(2 * units, 1, random),
      'attention/bias': zeros(1),
    }),
    'hidden/kernel': glorotUniform(4 * units, units, random),
    'hidden/bias': zeros(units),
    'output/kernel': glorotUniform(units, 1, random),
    'output/bias': zeros(1),
  } satisfies NamedArrays);
  const layer = (name: string, x: tf.Tensor, activation?: 'tanh' | 'relu') =>
    dense(x, parameters.matrix(`${name}/kernel`), parameters.vector(`${name}/bias`), activation);
  return {
    parameters,
    logits: (evidence) => {
      const { lengths } = evidence;
      const x = tokenFeatures(evidence); // [P, T, E + 5d]
      const hidden =
        shape === 'bilstm'
          ? bilstmLayer(parameters, 'token', x, lengths)
          : (layer('token', x, 'relu') as tf.Tensor3D); // [P, T, 2H]
      const mask = tokenMask(lengths, hidden.shape[1]);
      const first =
        shape === 'attention'
          ? attended(hidden, layer('attention', hidden) as tf.Tensor3D, mask)
          : meanOver(hidden, mask);
      const pooled = tf.concat2d([first, maximumOver(hidden, mask)], 1); // [P, 4H]
      return layer('output', layer('hidden', pooled, 'relu')).reshape([-1]);
    },
  };
}

/** All that is known of each token, [P, T, E + 5d]. */
function tokenFeatures({ embeddings, first, second, clean, residual }: PairEvidence): tf.Tensor3D {
  return tf.concat3d([embeddings, first, second, clean, residual, residual.square()], 2);
}

/** 1 at tokens and 0 at padding, [P, T, 1]. */
function tokenMask(lengths: Int32Array, steps: number): tf.Tensor3D {
  const mask = new Float32Array(lengths.length * steps);
  lengths.forEach((length, row) => {
    mask.fill(1, row * steps, row * steps + length);
  });
  return tf.tensor3d(mask, [lengths.length, steps, 1]);
}

const FAR_BELOW = -1e4;

function attended(hidden: tf.Tensor3D, scores: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  const [P, T] = hidden.shape;
  const masked = scores.add(tf.sub(1, mask).mul(FAR_BELOW)).reshape([P, T]);
  const weights = tf.softmax(masked).reshape([P, 1, T]);
  return tf.matMul(weights, hidden).reshape([P, -1]);
}

function meanOver(hidden: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  return hidden.mul(mask).sum<tf.Tensor2D>(1).div(mask.sum(1));
}

function maximumOver(hidden: tf.Tensor3D, mask: tf.Tensor3D): tf.Tensor2D {
  return hidden.add(tf.sub(1, mask).mul(FAR_BELOW)).max<tf.Tensor2D>(1);
}
