import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { View } from '../../networks/view.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { paddedIds, paddedVectors } from '../../training/data/batch.js';
import type { TextExample } from '../../training/data/examples.js';
import type { AuditTarget } from '../target.js';

/**
 * Releases of sentences to attack, [B, T, d]. Their noise comes from `random`, since an attack must be
 * repeatable; for real releases there is `release`, whose noise no seed determines.
 */
export function observe(
  view: View,
  vocabulary: Vocabulary,
  sentences: readonly Int32Array[],
  random: Random,
): tf.Tensor3D {
  const lengths = Int32Array.from(sentences, (ids) => ids.length);
  const steps = Math.max(...lengths);
  const x = view.embed(vocabulary, paddedIds(sentences, steps), steps);
  return view.forward(x, lengths, random);
}

/** The releases of notes that an attacker gets, [B, T, d]: those that are shared, or else fresh ones. */
export function observeNotes(
  { representation, vocabulary, released }: AuditTarget,
  examples: readonly TextExample[],
  random: Random,
): tf.Tensor3D {
  const shared = examples.flatMap((example) => released?.get(example) ?? []);
  if (shared.length === examples.length)
    return paddedReleases(shared, representation.config.dimension, examples);
  const sentences = examples.map(({ ids }) => ids);
  return observe(representation, vocabulary, sentences, random);
}

/** Vectors [T·d] of sentences as [B, T, d]. */
export function paddedReleases(
  vectors: readonly Float32Array[],
  dimension: number,
  sentences: readonly { readonly ids: Int32Array }[],
): tf.Tensor3D {
  const steps = Math.max(...sentences.map(({ ids }) => ids.length));
  const values = paddedVectors(vectors, steps, dimension);
  return tf.tensor3d(values, [vectors.length, steps, dimension]);
}

/** `count` releases of one sentence, [count, T·d]. */
export function observeRepeatedly(
  view: View,
  vocabulary: Vocabulary,
  sentence: Int32Array,
  count: number,
  random: Random,
): tf.Tensor2D {
  const copies = Array.from({ length: count }, () => sentence);
  return observe(view, vocabulary, copies, random).reshape([count, -1]);
}
