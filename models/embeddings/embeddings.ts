import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import { asShared } from './shared-floats.js';

/** Public pre-trained word vectors, and what they give for words that they do not hold. */
export interface Embeddings {
  /** SHA-256 of the source file, in hexadecimal. */
  readonly identity: string;
  /** E */
  readonly dimension: number;
  /** The word of each row, in the order of the source (most frequent first, as a rule). */
  readonly words: readonly string[];
  /** [W, E], row by row, in shared memory */
  readonly matrix: Float32Array;
  /** The row of a word as it is written, else in lower case; -1 where neither is there. */
  row(word: string): number;
  /** Whether words outside the matrix get vectors from their n-grams. */
  readonly hasSubwords: boolean;
  /**
   * What fastText computes for `word` as it is written: the mean of its n-gram vectors, and of its
   * own vector where it is in the matrix. Undefined where the source has no subwords, or the word
   * no n-gram.
   */
  subwordVector(word: string): Float32Array | undefined;
}

/** Composes a vector from the parts of a word. */
export interface Subwords {
  vector(word: string): Float32Array | undefined;
}

export interface EmbeddingRows {
  readonly identity: string;
  readonly words: readonly string[];
  /** [W, E] */
  readonly matrix: Float32Array;
  readonly dimension: number;
  readonly subwords?: Subwords | undefined;
}

/** Throws `embeddings-invalid` where a word stands twice. */
export function createEmbeddings(rows: EmbeddingRows): Embeddings {
  const { identity, words, dimension, subwords } = rows;
  const matrix = asShared(rows.matrix);
  const rowOf = new Map<string, number>();
  for (const [row, word] of words.entries()) rowOf.set(word, row);
  if (rowOf.size < words.length)
    throw new TacetError(
      'embeddings-invalid',
      `${words.length - rowOf.size} of ${words.length} rows repeat a word; give each word once`,
    );

  const row = (word: string): number => rowOf.get(word) ?? rowOf.get(word.toLowerCase()) ?? -1;
  return {
    identity,
    dimension,
    words,
    matrix,
    hasSubwords: subwords !== undefined,
    row,
    subwordVector: (word) => {
      if (!subwords) return undefined;
      const own = rowOf.get(word);
      return own === undefined ? subwords.vector(word) : rowVector(matrix, dimension, own);
    },
  };
}

/**
 * Embeddings from words and their vectors in memory, `matrix` [W, E].
 * Throws `embeddings-invalid` where the matrix has no whole number of values a word.
 */
export function embeddingsFromRows(words: readonly string[], matrix: Float32Array): Embeddings {
  const dimension = words.length === 0 ? 0 : matrix.length / words.length;
  if (!Number.isInteger(dimension) || dimension === 0)
    throw new TacetError(
      'embeddings-invalid',
      `${matrix.length} values are no whole number of dimensions for ${words.length} words; give [W, E] values`,
    );
  const digest = createHash('sha256').update(JSON.stringify(words)).update(matrix);
  return createEmbeddings({ identity: digest.digest('hex'), words, matrix, dimension });
}

/** A view of row `row` of a matrix [W, E]. */
export function rowVector(matrix: Float32Array, dimension: number, row: number): Float32Array {
  return matrix.subarray(row * dimension, (row + 1) * dimension);
}
