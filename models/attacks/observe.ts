import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { View } from '../networks/view.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { paddedIds } from '../training/batch.js';

/**
 * What an attacker sees of sentences, [B, T, d], each with fresh noise, drawn from `random` since an
 * attack must be repeatable. Real releases are `release`'s alone.
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
