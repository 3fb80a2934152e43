import type { TextExample } from '../../training/examples.js';

const GUESSES = 10;

/**
 * Guesses without vectors: the ten most frequent words of the attacker's notes for a label and a
 * casing, both of which are shared in clear.
 */
export class UnigramPrior {
  readonly #guesses = new Map<string, readonly number[]>();

  constructor(examples: readonly TextExample[]) {
    const counts = new Map<string, Map<number, number>>();
    for (const example of examples) {
      example.ids.forEach((id, position) => {
        const key = clearOf(example, position);
        const words = counts.get(key) ?? new Map<number, number>();
        words.set(id, (words.get(id) ?? 0) + 1);
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
    return this.#guesses.get(clearOf(example, position))?.[0] === example.ids[position];
  }
}

function clearOf({ labels, casing }: TextExample, position: number): string {
  return `${labels[position]}/${casing[position]}`;
}
