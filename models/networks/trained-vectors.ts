import { TRAINED_VECTORS, type Vocabulary } from '../embeddings/vocabulary.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { glorotUniform } from './initialisers.js';
import type { NamedArray } from './named-arrays.js';

/** Fresh vectors for the words that have none: unknown ones and digits by their length. */
export function trainedVectors(dimension: number, random: Random): NamedArray {
  return glorotUniform(TRAINED_VECTORS, dimension, random);
}

/** What `embed` needs of a vocabulary. */
export type WordVectors = Pick<Vocabulary, 'dimension' | 'vectors' | 'trained'>;

/**
 * The embeddings of a batch, [B, T, E]: the public vector of each vocabulary id in `ids` [B·T]
 * (−1 is padding, zeros), or the row of `trained` [TRAINED_VECTORS, E] for words without one.
 */
export function embed(
  vocabulary: WordVectors,
  trained: tf.Tensor2D,
  ids: Int32Array,
  steps: number,
): tf.Tensor3D {
  const { dimension } = vocabulary;
  const shape: [number, number, number] = [ids.length / steps, steps, dimension];
  const vectors = vocabulary.vectors();
  const fixed = new Float32Array(ids.length * dimension);
  const selection = new Float32Array(ids.length * TRAINED_VECTORS);
  let anyTrained = false;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (id < 0) continue;
    const row = vocabulary.trained(id);
    if (row > 0) {
      selection[i * TRAINED_VECTORS + row - 1] = 1;
      anyTrained = true;
    } else {
      fixed.set(vectors.subarray(id * dimension, (id + 1) * dimension), i * dimension);
    }
  }
  const x = tf.tensor3d(fixed, shape);
  if (!anyTrained) return x;
  const selected = tf.matMul(tf.tensor2d(selection, [ids.length, TRAINED_VECTORS]), trained);
  return x.add(selected.reshape(shape));
}
