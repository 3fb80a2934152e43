import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Deidentifier } from '../../models/networks/deidentifier.js';
import type { NamedArray } from '../../models/networks/named-arrays.js';
import * as tf from '../../models/tensor/tf.js';
import type { Batch } from '../../models/training/data/batch.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { idsOf } from '../network.js';

/** What the first BiLSTM sees of a batch, word vectors and casing, [B, T, 300]. */
export function networkInput(
  network: Deidentifier,
  vocabulary: Vocabulary,
  batch: Batch<TextExample>,
): NamedArray {
  return tf.tidy(() => {
    const input = network.embed(vocabulary, idsOf(batch), batch.steps); // [B, T, I]
    return { shape: input.shape, data: Float32Array.from(input.dataSync<'float32'>()) };
  });
}
