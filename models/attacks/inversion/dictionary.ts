import { isPhi } from '../../certification/move.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { View } from '../../networks/view.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/data/examples.js';

const UNSEEN = 0.1;

/** The length that word vectors are scaled to: with longer ones, the scores of words differ after fewer steps. */
const LENGTH = 10;

/** The words that an attacker may answer with, whatever their casing, and how often its own notes hold them. */
export class Dictionary {
  readonly #rows = new Map<number, number>();
  readonly #counts: number[] = [];

  /**
   * Takes words from all notes, PHI before others, so that names that the attacker has not seen can be answered
   * too; counts are of `train` alone.
   */
  constructor(
    train: readonly TextExample[],
    others: readonly TextExample[],
    private readonly most: number,
    private readonly vocabulary: Vocabulary,
  ) {
    const counts = new Map<number, number>();
    const phi = new Set<number>();
    const take = (examples: readonly TextExample[], weight: number) => {
      for (const example of examples) {
        example.ids.forEach((id, position) => {
          const word = vocabulary.uncased(id);
          counts.set(word, (counts.get(word) ?? 0) + weight);
          if (isPhi(example, position)) phi.add(word);
        });
      }
    };
    take(train, 1);
    take(others, 0);
    const byCount = [...counts].sort(([, a], [, b]) => b - a);
    const phiFirst = [...byCount].sort(([a], [b]) => Number(phi.has(b)) - Number(phi.has(a)));
    const kept = new Set(phiFirst.slice(0, this.most));
    const ranked = byCount.filter((entry) => kept.has(entry));
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
