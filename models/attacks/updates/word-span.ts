import { type Embeddings, rowVector } from '../../embeddings/embeddings.js';
import { namedWeights } from '../../federation/flat-weights.js';
import { changesOfAll, type WeightUpdate } from '../../federation/weight-update.js';
import type { TextNetwork } from '../../networks/text-network.js';

/** Of the mean of the diagonal: below it a direction counts as one that no word has. */
const RIDGE = 1e-4;

/**
 * Words from the change of the matrices that read them. Each column of such a gradient is a sum of the vectors of
 * the words that were read, so that a word that was not read lies outside of what the columns span, as long as
 * fewer words were read than a vector has numbers (Petrov et al. 2024, DAGER, for transformers); after more
 * than that the columns are longest along what was read most. Dropout on the inputs blurs both.
 */
export class WordSpan {
  readonly #lower: Float64Array;
  readonly #dimension: number;

  constructor({ parameters, wordInputs }: TextNetwork, update: WeightUpdate, dimension: number) {
    this.#dimension = dimension;
    const count = parameters.variables().reduce((sum, { size }) => sum + size, 0);
    const change = changesOfAll(update, count);
    const weights = namedWeights(parameters, change);
    const gram = new Float64Array(dimension * dimension);
    for (const name of wordInputs.matrices) {
      const { shape, data } = weights[name] as { shape: readonly number[]; data: Float32Array };
      addGram(gram, data, shape[1] as number, wordInputs.from, dimension);
    }
    this.#lower = factor(gram, dimension);
  }

  /** The higher, the likelier the word of a vector [E] was read; 0 at most. */
  score(vector: Float32Array): number {
    const E = this.#dimension;
    const solved = new Float64Array(E);
    let squares = 0;
    for (let row = 0; row < E; row++) {
      let value = vector[row] as number;
      for (let k = 0; k < row; k++)
        value -= (this.#lower[row * E + k] as number) * (solved[k] as number);
      solved[row] = value / (this.#lower[row * E + row] as number);
      squares += (vector[row] as number) ** 2;
    }
    return -solved.reduce((sum, each) => sum + each * each, 0) / Math.max(squares, 1e-12);
  }

  /** The rows of the `count` words of a matrix that are likeliest to have been read. */
  likeliest({ words, matrix, dimension }: Embeddings, count: number): Int32Array {
    const scores = Float64Array.from(words, (_, row) =>
      this.score(rowVector(matrix, dimension, row)),
    );
    const order = Array.from(scores.keys()).sort(
      (a, b) => (scores[b] as number) - (scores[a] as number),
    );
    return Int32Array.from(order.slice(0, count));
  }
}

/** Adds G Gᵀ of the rows [from, from + E) of G, which has `columns` columns. */
function addGram(
  gram: Float64Array,
  data: Float32Array,
  columns: number,
  from: number,
  E: number,
): void {
  for (let a = 0; a < E; a++)
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      const [rowA, rowB] = [(from + a) * columns, (from + b) * columns];
      for (let k = 0; k < columns; k++)
        sum += (data[rowA + k] as number) * (data[rowB + k] as number);
      (gram[a * E + b] as number) += sum;
      if (a !== b) (gram[b * E + a] as number) += sum;
    }
}

/** The Cholesky factor of a matrix [E, E] with a ridge. */
function factor(gram: Float64Array, E: number): Float64Array {
  let trace = 0;
  for (let k = 0; k < E; k++) trace += gram[k * E + k] as number;
  const ridge = RIDGE * (trace > 0 ? trace / E : 1);
  const lower = new Float64Array(E * E);
  for (let row = 0; row < E; row++)
    for (let column = 0; column <= row; column++) {
      let value = (gram[row * E + column] as number) + (row === column ? ridge : 0);
      for (let k = 0; k < column; k++)
        value -= (lower[row * E + k] as number) * (lower[column * E + k] as number);
      lower[row * E + column] =
        row === column
          ? Math.sqrt(Math.max(value, ridge * 1e-6))
          : value / (lower[column * E + column] as number);
    }
  return lower;
}
