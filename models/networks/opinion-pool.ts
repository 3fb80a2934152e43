/**
 * De-identifiers of one label scheme that decide together, by a logarithmic opinion pool with equal weights:
 * p(y) ∝ Π p_m(y)^(1/M). Of M linear-chain CRFs that is again one, whose emissions and transitions are the means of theirs
 * (Smith, Cohn and Osborne 2005). One that decides each token by itself is a CRF without transitions.
 */
import { type CrfWeights, crfDecode, crfPosteriors } from '../tensor/crf.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';

/** The weights of a linear-chain CRF as plain numbers. */
export interface CrfValues {
  /** [L·L], from, to. */
  readonly transitions: Float32Array;
  /** [L] */
  readonly start: Float32Array;
  /** [L] */
  readonly end: Float32Array;
}

/** [B, T, L] of each to [B, T, L]. */
export function pooledEmissions(each: readonly tf.Tensor3D[]): tf.Tensor3D {
  const [first, ...others] = each as [tf.Tensor3D, ...tf.Tensor3D[]];
  if (others.length === 0) return first;
  const sum = others.reduce((total, emissions) => total.add<tf.Tensor3D>(emissions), first);
  return sum.div(each.length);
}

export function pooledCrf(each: readonly CrfValues[]): CrfValues {
  return {
    transitions: mean(each.map(({ transitions }) => transitions)),
    start: mean(each.map(({ start }) => start)),
    end: mean(each.map(({ end }) => end)),
  };
}

/** The most likely labels [B·T] (Viterbi) by emissions [B, T, L]. */
export function mostLikelyLabels(
  emissions: tf.Tensor3D,
  lengths: Int32Array,
  crf: CrfValues,
): Int32Array {
  return scoped(() => crfDecode(emissions, lengths, weightsOf(crf)));
}

/** The probability of each label at each token by emissions [B, T, L], [B·T·L]; 0 past a length. */
export function labelPosteriors(
  emissions: tf.Tensor3D,
  lengths: Int32Array,
  crf: CrfValues,
): Float32Array {
  return scoped(() => crfPosteriors(emissions, lengths, weightsOf(crf)).dataSync<'float32'>());
}

function weightsOf({ transitions, start, end }: CrfValues): CrfWeights {
  const L = start.length;
  return {
    transitions: tf.tensor2d(transitions, [L, L]),
    start: tf.tensor1d(start),
    end: tf.tensor1d(end),
  };
}

function mean(each: readonly Float32Array[]): Float32Array {
  const [first] = each as [Float32Array];
  return first.map(
    (_, i) => each.reduce((sum, values) => sum + (values[i] as number), 0) / each.length,
  );
}
