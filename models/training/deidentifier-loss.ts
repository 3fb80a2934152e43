import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { type Batch, paddedIds } from './data/batch.js';
import type { TextExample } from './data/examples.js';

/** l_deid of input vectors [B, T, D], as `Deidentifier.loss`; dropout where `dropout` is given. */
export function deidentifierLoss(
  deidentifier: Deidentifier,
  x: tf.Tensor3D,
  { labels, lengths, weights }: Batch,
  dropout?: Random,
): tf.Scalar {
  const emissions = deidentifier.emissions(x, lengths, dropout);
  return deidentifier.loss(emissions, labels, lengths, weights);
}

/** l_deid of releases [B, T, d] of a batch, with the casing of its tokens where the de-identifier reads it beside them. */
export function releasedLoss(
  deidentifier: Deidentifier,
  releases: tf.Tensor3D,
  batch: Batch<TextExample>,
  vocabulary: Vocabulary,
  dropout?: Random,
): tf.Scalar {
  const ids = paddedIds(
    batch.examples.map((example) => example.ids),
    batch.steps,
  );
  const inputs = deidentifier.beside(releases, vocabulary, ids); // [B, T, I]
  return deidentifierLoss(deidentifier, inputs, batch, dropout);
}
