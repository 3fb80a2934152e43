import type { Vocabulary } from '../embeddings/vocabulary.js';
import * as tf from '../tensor/tf.js';
import { CASINGS } from '../text/casing.js';
import { embed, type WordVectors } from './trained-vectors.js';

/** What `tokenInputs` needs of a vocabulary. */
export type TokenWords = WordVectors & Pick<Vocabulary, 'casing'>;

interface Inputs {
  /** E */
  readonly dimension: number;
  /** Whether a token's casing is an input, too. */
  readonly casing: boolean;
}

/** I, numbers a token that a network sees: its word vector, and one for each casing. */
export function inputsOf({ dimension, casing }: Inputs): number {
  return dimension + (casing ? CASINGS.length : 0);
}

/**
 * What a network sees of a batch, [B, T, I]: the embedding of each vocabulary id in `ids` [B·T] as
 * `embed` looks it up, then, where casing is an input, 1 at the casing of the id and 0 at the others.
 */
export function tokenInputs(
  words: TokenWords,
  trained: tf.Tensor2D,
  ids: Int32Array,
  steps: number,
  casing: boolean,
): tf.Tensor3D {
  const x = embed(words, trained, ids, steps);
  return casing ? tf.concat3d([x, casingOneHot(words, ids, steps)], 2) : x;
}

/** [B, T, 7], zeros where there is no token. */
function casingOneHot(words: TokenWords, ids: Int32Array, steps: number): tf.Tensor3D {
  const values = new Float32Array(ids.length * CASINGS.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id >= 0) values[i * CASINGS.length + words.casing(id)] = 1;
  }
  return tf.tensor3d(values, [ids.length / steps, steps, CASINGS.length]);
}
