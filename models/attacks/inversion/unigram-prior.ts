import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { TextExample } from '../../training/data/examples.js';

const GUESSES = 10;

/**
 * Guesses without vectors: the ten most frequent words of the attacker's notes for a label,
 * which is shared in clear.
 */
export class UnigramPrior {
  readonly #guesses = new Map<number, readonly number[]>();

  constructor(
    examples: readonly TextExample[],
    private readonly vocabulary: Pick<Vocabulary, 'uncased'>,
  ) {
    const counts = new Map<number, Map<number, number>>();
    for (const example of examples) {
      example.ids.forEach((id, position) => {
        const key = example.labels[position];
        const words = counts.get(key) ?? new Map<number, number>();
        const word = vocabulary.uncased(id);
        words.set(word, (words.get(word) ?? 0) + 1);
        counts.set(key, words);
      });
    }
    for (const [key, words] of counts) {
      const ranked = [...words].sort(([, a], [, b]) => b - a).slice(0, GUESSES);
      this.#guesses.set(
        key,
        ranked.map(([id]) => id),
      );
    }
  }

  /** Whether the first guess at a token is right. */
  isRight(example: TextExample, position: number): boolean {
    const word = this.vocabulary.uncased(example.ids[position]);
    return this.#guesses.get(example.labels[position])?.[0] === word;
  }
}
