import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../../platform/progress.js';
import { consume } from '../tensor/consume.js';
import * as tf from '../tensor/tf.js';
import { Nearest } from './nearest.js';

/** Scores [QUERY_BLOCK, ROW_BLOCK] are held at a time: 8 MB. */
const QUERY_BLOCK = 256;
const ROW_BLOCK = 8192;

export interface NeighbourOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

export interface Neighbours {
  /** Rows of the matrix, closest first. */
  readonly rows: Int32Array;
  /** Their cosines. */
  readonly cosines: Float32Array;
}

/**
 * The `count` rows of `matrix` [W, E] that are closest to each of `queries` [Q, E] by cosine, exact:
 * one matrix product in blocks. Equal cosines go by row; a zero vector has cosine 0 to everything.
 * Yields the result of each query in order. Memory is bounded by the blocks and 2 * `count` values a
 * query of a block.
 */
export async function* nearestRows(
  matrix: Float32Array,
  queries: Float32Array,
  dimension: number,
  count: number,
  { signal, progress }: NeighbourOptions = {},
): AsyncGenerator<Neighbours> {
  const words = matrix.length / dimension;
  const total = queries.length / dimension;
  const scales = inverseNorms(matrix, dimension);
  for (let first = 0; first < total; first += QUERY_BLOCK) {
    const block = normalise(
      queries.subarray(first * dimension, (first + QUERY_BLOCK) * dimension),
      dimension,
    );
    const size = block.length / dimension;
    const nearest = Array.from({ length: size }, () => new Nearest(Math.min(count, words)));
    for (let row = 0; row < words; row += ROW_BLOCK) {
      signal?.throwIfAborted();
      const scores = products(
        block,
        matrix.subarray(row * dimension, (row + ROW_BLOCK) * dimension),
        dimension,
      );
      consume(scores, (values) => {
        select(nearest, values, row, scales);
      });
      progress?.({
        step: 'neighbours',
        done: first + Math.floor((size * Math.min(row + ROW_BLOCK, words)) / words),
        total,
        unit: 'words',
      });
      await setImmediate();
    }
    for (const one of nearest) {
      const { rows, scores } = one.best();
      yield { rows, cosines: scores };
    }
  }
}

/** [Q, E] x [R, E] -> [Q, R] */
function products(queries: Float32Array, rows: Float32Array, dimension: number): tf.Tensor2D {
  return tf.tidy(() =>
    tf.matMul(
      tf.tensor2d(queries, [queries.length / dimension, dimension]),
      tf.tensor2d(rows, [rows.length / dimension, dimension]),
      false,
      true,
    ),
  );
}

/** Offers the scores [Q, R] of the rows from `first` on to each query's selection. */
function select(
  nearest: readonly Nearest[],
  scores: Float32Array,
  first: number,
  scales: Float32Array,
): void {
  const width = scores.length / nearest.length;
  for (const [query, kept] of nearest.entries()) {
    const own = scores.subarray(query * width, (query + 1) * width);
    let { bar } = kept;
    for (let i = 0; i < width; i++) {
      const cosine = (own[i] as number) * (scales[first + i] as number);
      if (cosine > bar) {
        kept.offer(first + i, cosine);
        bar = kept.bar;
      }
    }
  }
}

function normalise(vectors: Float32Array, dimension: number): Float32Array {
  const scales = inverseNorms(vectors, dimension);
  return vectors.map((value, index) => value * (scales[Math.floor(index / dimension)] as number));
}

/** 1 / norm of each row, and 0 where the norm is 0. */
function inverseNorms(matrix: Float32Array, dimension: number): Float32Array {
  const scales = new Float32Array(matrix.length / dimension);
  for (let row = 0; row < scales.length; row++) {
    let squares = 0;
    for (let i = row * dimension; i < (row + 1) * dimension; i++)
      squares += (matrix[i] as number) ** 2;
    scales[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
  return scales;
}
