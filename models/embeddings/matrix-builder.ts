import { sharedFloats } from './shared-floats.js';

const INITIAL_VALUES = 1 << 20;

export interface WordMatrix {
  readonly words: readonly string[];
  /** [W, E] */
  readonly matrix: Float32Array;
  readonly dimension: number;
}

/** Collects words and their vectors; a word that comes again is passed over. */
export class MatrixBuilder {
  readonly words: string[] = [];
  readonly #known = new Set<string>();
  #matrix: Float32Array;

  /** `expected` words make room at once; more may come. */
  constructor(
    readonly dimension: number,
    expected: number,
  ) {
    this.#matrix = sharedFloats(expected > 0 ? expected * dimension : INITIAL_VALUES);
  }

  /** The place for the vector of `word`, E values; the next one replaces it where the word is not new. */
  next(): Float32Array {
    const offset = this.words.length * this.dimension;
    if (offset + this.dimension > this.#matrix.length) {
      const grown = sharedFloats(2 * this.#matrix.length + this.dimension);
      grown.set(this.#matrix);
      this.#matrix = grown;
    }
    return this.#matrix.subarray(offset, offset + this.dimension);
  }

  /** Keeps what was put into the last `next` under `word`. */
  add(word: string): void {
    if (this.#known.has(word)) return;
    this.#known.add(word);
    this.words.push(word);
  }

  build(): WordMatrix {
    const { words, dimension } = this;
    const matrix = this.#matrix.subarray(0, words.length * dimension);
    return { words, matrix, dimension };
  }
}
