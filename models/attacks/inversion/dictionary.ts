import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { View } from '../../networks/view.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/examples.js';

const UNSEEN = 0.1;

/** The length that word vectors are scaled to: with longer ones, the scores of words differ after fewer steps. */
const LENGTH = 10;

/** The words that an attacker may answer with, whatever their casing, and how often its own notes hold them. */
export class Dictionary {
  readonly #rows = new Map<number, number>();
  readonly #counts: number[] = [];

  /** Takes words from all notes, so that names that the attacker has not seen can be answered too; counts are of `train` alone. */
  constructor(
    train: readonly TextExample[],
    others: readonly TextExample[],
    private readonly most: number,
    private readonly vocabulary: Vocabulary,
  ) {
    const counts = new Map<number, number>();
    const wordsOf = (ids: Int32Array) => ids.map((id) => vocabulary.uncased(id));
    for (const { ids } of train)
      for (const id of wordsOf(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const { ids } of others)
      for (const id of wordsOf(ids)) if (!counts.has(id)) counts.set(id, 0);
    const ranked = [...counts].sort(([, a], [, b]) => b - a).slice(0, this.most);
    ranked.forEach(([id, count], row) => {
      this.#rows.set(id, row);
      this.#counts.push(count);
    });
  }

  get size(): number {
    return this.#counts.length;
  }

  /** −1 for a word that is not in it. */
  rowOf(id: number): number {
    return this.#rows.get(this.vocabulary.uncased(id)) ?? -1;
  }

  /** [V], log-probabilities by the counts. */
  prior(): Float32Array {
    const total = this.#counts.reduce((sum, count) => sum + count + UNSEEN, 0);
    return Float32Array.from(this.#counts, (count) => Math.log((count + UNSEEN) / total));
  }

  /** [V, I], what f sees of each word scaled to one length. */
  vectors(view: View): tf.Tensor2D {
    return tf.tidy(() => {
      const ids = Int32Array.from(this.#rows.keys());
      const x = view.embed(this.vocabulary, ids, ids.length); // [1, V, I]
      const vectors = x.reshape<tf.Tensor2D>([ids.length, -1]);
      return vectors.div(vectors.square().sum(1, true).add(1e-12).sqrt()).mul(LENGTH);
    });
  }
}
