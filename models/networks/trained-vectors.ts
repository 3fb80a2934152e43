import { TRAINED_VECTORS, type Vocabulary } from '../embeddings/vocabulary.js';
import { embedding, trainedRow, ZERO_ROW } from '../tensor/embedding.js';
import type * as tf from '../tensor/tf.js';
import type { InitialWeight } from './initial-weights.js';
import { glorotUniform } from './initialisers.js';

/** Vectors for the words that have none: unknown ones and digits by their length. */
export function trainedVectors(dimension: number): InitialWeight {
  return glorotUniform(TRAINED_VECTORS, dimension);
}

/** What `embed` needs of a vocabulary. */
export type WordVectors = Pick<
  Vocabulary,
  'dimension' | 'matrix' | 'composed' | 'place' | 'trained'
>;

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
  const rows = ids.map((id) => {
    if (id < 0) return ZERO_ROW;
    const row = vocabulary.trained(id);
    return row > 0 ? trainedRow(row - 1) : vocabulary.place(id);
  });
  const { matrix, dimension } = vocabulary;
  return embedding(matrix, trained, rows, vocabulary.composed()).reshape([
    ids.length / steps,
    steps,
    dimension,
  ]);
}
