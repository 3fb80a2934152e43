import { TRAINED_VECTORS, type Vocabulary } from '../embeddings/vocabulary.js';
import type { InitialWeight } from './initial-weights.js';
import { trainedVectors, type WordVectors } from './trained-vectors.js';

/**
 * A vocabulary some of whose words have vectors that are trained, from where they are: rows of `trained` behind
 * those of words that have none. Such weights say which words they were trained on, and stay where they are.
 */
export class TrainedWords implements WordVectors {
  readonly dimension: number;
  readonly #rows: ReadonlyMap<number, number>;

  /** `ids` of the vocabulary; those without a vector of their own have a trained one already. */
  constructor(
    private readonly vocabulary: WordVectors & Pick<Vocabulary, 'vectors'>,
    ids: Iterable<number>,
  ) {
    this.dimension = vocabulary.dimension;
    const own = [...new Set(ids)].filter((id) => vocabulary.trained(id) === 0);
    this.#rows = new Map(own.map((id, at) => [id, TRAINED_VECTORS + at]));
  }

  get matrix(): Float32Array {
    return this.vocabulary.matrix;
  }

  composed(): Float32Array {
    return this.vocabulary.composed();
  }

  place(id: number): number {
    return this.vocabulary.place(id);
  }

  /** 0 for a fixed vector, 1 + its row for a trained one. */
  trained(id: number): number {
    const row = this.#rows.get(id);
    return row === undefined ? this.vocabulary.trained(id) : 1 + row;
  }

  /** `trained`, [TRAINED_VECTORS + words, E]. */
  initial(): InitialWeight {
    const { dimension } = this;
    const unknown = trainedVectors(dimension);
    const shape = [TRAINED_VECTORS + this.#rows.size, dimension];
    return {
      shape,
      draw: (random) => {
        const all = new Float32Array(shape[0] * dimension);
        all.set(unknown.draw(random));
        const vectors = this.vocabulary.vectors();
        for (const [id, row] of this.#rows)
          all.set(vectors.subarray(id * dimension, (id + 1) * dimension), row * dimension);
        return all;
      },
    };
  }
}
