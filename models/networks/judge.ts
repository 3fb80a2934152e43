import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import {
  type Adversary,
  type AdversaryTask,
  cosine,
  type PairBatch,
  PROBABILITY_MARGIN,
} from './adversary.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { Parameters } from './parameters.js';
import { attended, maximumOver, meanOver, tokenMask } from './pooling.js';

/** A batch of pairs, and on request what an attacker who holds the bundle can compute of them. */
export interface PairEvidence extends PairBatch {
  computed(): ComputedEvidence;
}

export interface ComputedEvidence {
  /** What f(E(x) + n) is on average over the input noise n [P, T, d]. */
  readonly expected: tf.Tensor3D;
  /** `second` less `expected`, in units of both noises together [P, T, d]: near 1 but for the move. */
  readonly residual: tf.Tensor3D;
  /** 1 at the tokens that may have moved, else 0 [P, T, 1]. */
  readonly movable: tf.Tensor3D;
}

/** Decides whether pairs are real. */
export interface Judge {
  readonly parameters: Parameters;
  /** Log-odds that each pair is real, [P]. */
  logits(evidence: PairEvidence): tf.Tensor1D;
}

/** The shapes of adversaries that see everything at once: all four tensors, token by token. */
const JUDGE_SHAPES = ['bilstm', 'attention', 'pooled'] as const;
export type JudgeShape = (typeof JUDGE_SHAPES)[number];

/** What brings both kinds of vectors that the paper's adversary sees to one size. */
export interface PairScale {
  readonly embeddings: FeatureScale;
  readonly releases: FeatureScale;
}

/** The paper's adversary as a judge; a fresh one learns much faster from vectors of one size. */
export function adversaryJudge(
  adversary: Adversary,
  task: AdversaryTask,
  scale?: PairScale,
): Judge {
  const seen = (pairs: PairBatch): PairBatch =>
    scale
      ? {
          ...pairs,
          embeddings: scaled(pairs.embeddings, scale.embeddings),
          first: scaled(pairs.first, scale.releases),
          second: scaled(pairs.second, scale.releases),
        }
      : pairs;
  return {
    parameters: adversary.parameters,
    logits: (evidence) => {
      const p = adversary
        .probabilities(seen(evidence), task)
        .mul(1 - 2 * PROBABILITY_MARGIN)
        .add<tf.Tensor1D>(PROBABILITY_MARGIN);
      return tf.log(p).sub(tf.log(tf.sub(1, p)));
    },
  };
}

/**
 * A fresh adversary of `units` a direction or a layer. `bilstm` reads the sentence in order and
 * pools its states; `attention` weighs each token's hidden layer by what it holds (Bahdanau et al.
 * 2015); `pooled` takes the mean and the maximum over tokens, whatever their order. All of them pool
 * over the tokens that may have moved apart from the others, and see how far the release lies from
 * what is expected. `scale` brings what they see of tokens to one size.
 */
export function freshJudge(
  shape: JudgeShape,
  { inputDimension: I, dimension: d }: { inputDimension: number; dimension: number },
  units: number,
  scale: FeatureScale,
  random: Random,
): Judge {
  const inputs = I + 5 * d + 1 + SCALARS;
  const token =
    shape === 'bilstm'
      ? bilstmWeights('token', inputs, units)
      : denseWeights('token', inputs, 2 * units);
  const parameters = Parameters.fresh(
    {
      ...token,
      ...(shape === 'attention' && denseWeights('attention', 2 * units, 1)),
      ...denseWeights('hidden', POOLINGS * (2 * units + SCALARS), units),
      ...denseWeights('output', units, 1),
    },
    random,
  );
  const layer = <T extends tf.Tensor>(name: string, x: T, activation?: 'relu') =>
    denseLayer(parameters, name, x, activation);
  return {
    parameters,
    logits: (evidence) => {
      const { lengths } = evidence;
      const computed = evidence.computed();
      const x = scaled(judgeFeatures(evidence, computed), scale); // [P, T, I]
      const states =
        shape === 'bilstm'
          ? bilstmLayer(parameters, 'token', x, lengths)
          : layer('token', x, 'relu'); // [P, T, 2H]
      const all = tokenMask(lengths, states.shape[1]);
      const scalars = x.slice([0, 0, x.shape[2] - SCALARS], [-1, -1, SCALARS]);
      const hidden = tf.concat3d([states, scalars], 2); // [P, T, 2H + S]
      const scores = shape === 'attention' ? layer('attention', states) : null;
      const pooled = [all, computed.movable].flatMap((mask) => [
        scores ? attended(hidden, scores, mask) : meanOver(hidden, mask),
        maximumOver(hidden, mask),
      ]);
      return layer('output', layer('hidden', tf.concat2d(pooled, 1), 'relu')).reshape([-1]);
    },
  };
}

/** Mean or attention and maximum, over all tokens and over the movable ones. */
const POOLINGS = 4;

/** Numbers of a token that reach the last layers as they are. */
const SCALARS = 3;

/** Centre and reciprocal spread of each of some numbers [W]. */
export interface FeatureScale {
  readonly centre: Float32Array;
  readonly reciprocal: Float32Array;
}

/** All that is known of each token, [P, T, I]; what grows without bounds as its logarithm. */
export function judgeFeatures(evidence: PairBatch, computed: ComputedEvidence): tf.Tensor3D {
  const { embeddings, first, second } = evidence;
  const { expected, residual, movable } = computed;
  const square = residual.square();
  return tf.concat3d(
    [
      embeddings,
      first,
      second,
      expected,
      tf.asinh(residual),
      tf.log1p(square),
      movable,
      tf.log1p(square.mean<tf.Tensor3D>(2, true)),
      cosine(expected, second),
      cosine(first, second),
    ],
    2,
  );
}

/** No number of a token is further than this many spreads from its centre. */
const FARTHEST = 6;

function scaled(x: tf.Tensor3D, { centre, reciprocal }: FeatureScale): tf.Tensor3D {
  return x
    .sub(tf.tensor1d(centre))
    .mul(tf.tensor1d(reciprocal))
    .clipByValue(-FARTHEST, FARTHEST) as tf.Tensor3D;
}
