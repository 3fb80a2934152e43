import { type Embeddings, rowVector } from '../../embeddings/embeddings.js';

/** Words that an attacker takes into account, by their place in the table, with their vectors. */
export class WordTable {
  /** Each scaled to length 1, [size, E]. */
  readonly #unit: Float32Array;

  /** Of rows of the embedding matrix. */
  constructor(
    private readonly embeddings: Embeddings,
    readonly rows: Int32Array,
  ) {
    const E = embeddings.dimension;
    this.#unit = new Float32Array(rows.length * E);
    rows.forEach((row, place) => {
      this.#unit.set(scaled(rowVector(embeddings.matrix, E, row)), place * E);
    });
  }

  get size(): number {
    return this.rows.length;
  }

  word(place: number): string {
    return this.embeddings.words[this.rows[place] as number] as string;
  }

  /** [words · E] */
  vectorsOf(words: Int32Array): Float32Array {
    const { dimension: E, matrix } = this.embeddings;
    const vectors = new Float32Array(words.length * E);
    words.forEach((place, t) => {
      vectors.set(rowVector(matrix, E, this.rows[place] as number), t * E);
    });
    return vectors;
  }

  /** Of each vector of [words · E] the word that is nearest by cosine. */
  nearest(vectors: Float32Array): Int32Array {
    const E = this.embeddings.dimension;
    return Int32Array.from({ length: vectors.length / E }, (_, t) => {
      const products = this.#products(this.#unit, vectors.subarray(t * E, (t + 1) * E));
      return products.reduce(
        (best, each, place) => (each > (products[best] as number) ? place : best),
        0,
      );
    });
  }

  /** The products of all words' vectors with one [E]: [size]. */
  productsWith(vector: Float32Array): Float32Array {
    const { dimension: E, matrix } = this.embeddings;
    return Float32Array.from(this.rows, (row) => dot(matrix, row * E, vector));
  }

  #products(table: Float32Array, vector: Float32Array): Float32Array {
    const E = vector.length;
    return Float32Array.from({ length: this.size }, (_, place) => dot(table, place * E, vector));
  }
}

function dot(table: Float32Array, from: number, vector: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < vector.length; k++)
    sum += (table[from + k] as number) * (vector[k] as number);
  return sum;
}

function scaled(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0));
  return vector.map((each) => (length > 0 ? each / length : 0));
}
