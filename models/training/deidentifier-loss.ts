import type { Deidentifier } from '../networks/deidentifier.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import type { Batch } from './batch.js';

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
