import { TacetError } from '../../proto/errors.js';
import { holdsNumbers, requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { embeddingRows } from './reference/embedding-rows.js';
import { checkFloats, checkShapes, extremesOf, shapeText } from './shape-check.js';
import * as tf from './tf.js';

/** The row of `embedding` that is all zeros. */
export const ZERO_ROW = -1;

/** The row of `embedding` that is row `k` of the trained table. */
export function trainedRow(k: number): number {
  return ZERO_ROW - 1 - k;
}

const NONE = new Float32Array(0);

/**
 * Rows of tables, [N, E]: those of `fixed` [V, E] by their number, those of `further` [U, E] numbered on
 * from them, those of `trained` [W, E] by `trainedRow`, and `ZERO_ROW`. The trained table gets a gradient;
 * where no row is of it, the result does not depend on it, so that no gradient is computed on the way to it.
 * Throws `tensor-invalid` for rows that no table has, and where a row of the result is not finite.
 */
export function embedding(
  fixed: Float32Array,
  trained: tf.Tensor2D,
  rows: Int32Array,
  further: Float32Array = NONE,
): tf.Tensor2D {
  const tables: FixedTables = { fixed, further };
  const [count, width] = trained.shape;
  const [lowest, highest] = extremesOf(rows);
  checkShapes(
    'embedding',
    {
      fixed: [fixed.length],
      ...(further.length > 0 && { further: [further.length] }),
      trained: trained.shape,
      'lowest and highest row': [lowest, highest],
    },
    'fixed [V * E], further [U * E], trained [W, E], rows from -1 - W to V + U - 1; E > 0',
    width > 0 &&
      fixed.length % width === 0 &&
      further.length % width === 0 &&
      lowest >= trainedRow(count - 1) &&
      highest < (fixed.length + further.length) / width,
  );
  checkFloats('embedding', { trained });
  if (lowest >= ZERO_ROW) {
    return finite(lookedUp(tables, undefined, rows, width), tables, trained, rows);
  }
  // A copy: the backward pass reads the rows again, and the caller may have changed them.
  const ownRows = rows.slice();
  const op = tf.customGrad((table) => ({
    value: lookedUp(tables, table as tf.Tensor2D, ownRows, width),
    gradFunc: (dy: tf.Tensor) => trainedGradient(dy as tf.Tensor2D, count, ownRows),
  }));
  return finite(op(trained) as tf.Tensor2D, tables, trained, rows);
}

/** Rows of `further` are numbered on from those of `fixed`. */
interface FixedTables {
  readonly fixed: Float32Array;
  readonly further: Float32Array;
}

/** As `requireFinite`, which knows of no table that is a plain array. */
function finite(
  result: tf.Tensor2D,
  { fixed, further }: FixedTables,
  trained: tf.Tensor2D,
  rows: Int32Array,
): tf.Tensor2D {
  if (holdsNumbers(result)) return result;
  const width = result.shape[1];
  const fixedRows = fixed.length / width;
  const valuesOf = (row: number) =>
    row < fixedRows
      ? fixed.subarray(row * width, (row + 1) * width)
      : further.subarray((row - fixedRows) * width, (row - fixedRows + 1) * width);
  const spoilt = rows.find((row) => row >= 0 && !valuesOf(row).every(Number.isFinite));
  if (spoilt === undefined) return requireFinite('embedding', result, { trained });
  const table = shapeText([fixedRows + further.length / width, width]);
  throw new TacetError(
    'tensor-invalid',
    `embedding: the result ${shapeText(result.shape)} holds NaN or infinity, as fixed ${table} ` +
      `does in row ${spoilt}; got trained ${shapeText(trained.shape)}; expected finite numbers`,
  );
}

function lookedUp(
  { fixed, further }: FixedTables,
  trained: tf.Tensor2D | undefined,
  rows: Int32Array,
  width: number,
): tf.Tensor2D {
  if (hasKernel('EmbeddingRows')) {
    const inputs = trained ? { trained } : {};
    return runKernel('EmbeddingRows', inputs, { fixed, further, rows, width })[0] as tf.Tensor2D;
  }
  const table = trained?.dataSync<'float32'>() ?? new Float32Array(0);
  return tf.tensor2d(embeddingRows(fixed, further, table, rows, width), [rows.length, width]);
}

/** The sum of dy [N, E] over the rows that each row of the trained table gave, [W, E]. */
function trainedGradient(dy: tf.Tensor2D, count: number, rows: Int32Array): tf.Tensor2D {
  const places: number[] = [];
  rows.forEach((row, place) => {
    if (row < ZERO_ROW) places.push(place);
  });
  const owners = places.map((place) => trainedRow(rows[place] as number));
  const gradients = tf.gather(dy, tf.tensor1d(places, 'int32'));
  return tf.unsortedSegmentSum(gradients, tf.tensor1d(owners, 'int32'), count);
}
