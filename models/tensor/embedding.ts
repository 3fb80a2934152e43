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

/**
 * Rows of two tables, [N, E]: those of `fixed` [V, E] by their number, those of `trained` [W, E] by
 * `trainedRow`, and `ZERO_ROW`. The trained table gets a gradient; where no row is of it, the result
 * does not depend on it, so that no gradient is computed on the way to it. Throws `tensor-invalid`
 * for rows that neither table has, and where a row of the result is not finite.
 */
export function embedding(
  fixed: Float32Array,
  trained: tf.Tensor2D,
  rows: Int32Array,
): tf.Tensor2D {
  const [count, width] = trained.shape;
  const [lowest, highest] = extremesOf(rows);
  checkShapes(
    'embedding',
    {
      fixed: [fixed.length],
      trained: trained.shape,
      'lowest and highest row': [lowest, highest],
    },
    'fixed [V * E], trained [W, E], rows from -1 - W to V - 1; E > 0',
    width > 0 &&
      fixed.length % width === 0 &&
      lowest >= trainedRow(count - 1) &&
      highest < fixed.length / width,
  );
  checkFloats('embedding', { trained });
  if (lowest >= ZERO_ROW) {
    return finite(lookedUp(fixed, undefined, rows, width), fixed, trained, rows);
  }
  // A copy: the backward pass reads the rows again, and the caller may have changed them.
  const ownRows = rows.slice();
  const op = tf.customGrad((table) => ({
    value: lookedUp(fixed, table as tf.Tensor2D, ownRows, width),
    gradFunc: (dy: tf.Tensor) => trainedGradient(dy as tf.Tensor2D, count, ownRows),
  }));
  return finite(op(trained) as tf.Tensor2D, fixed, trained, rows);
}

/** As `requireFinite`, which knows of no table that is a plain array. */
function finite(
  result: tf.Tensor2D,
  fixed: Float32Array,
  trained: tf.Tensor2D,
  rows: Int32Array,
): tf.Tensor2D {
  if (holdsNumbers(result)) return result;
  const width = result.shape[1];
  const spoilt = rows.find(
    (row) => row >= 0 && !fixed.subarray(row * width, (row + 1) * width).every(Number.isFinite),
  );
  if (spoilt === undefined) return requireFinite('embedding', result, { trained });
  const table = shapeText([fixed.length / width, width]);
  throw new TacetError(
    'tensor-invalid',
    `embedding: the result ${shapeText(result.shape)} holds NaN or infinity, as fixed ${table} ` +
      `does in row ${spoilt}; got trained ${shapeText(trained.shape)}; expected finite numbers`,
  );
}

function lookedUp(
  fixed: Float32Array,
  trained: tf.Tensor2D | undefined,
  rows: Int32Array,
  width: number,
): tf.Tensor2D {
  if (hasKernel('EmbeddingRows')) {
    const inputs = trained ? { trained } : {};
    return runKernel('EmbeddingRows', inputs, { fixed, rows, width })[0] as tf.Tensor2D;
  }
  const table = trained?.dataSync<'float32'>() ?? new Float32Array(0);
  return tf.tensor2d(embeddingRows(fixed, table, rows, width), [rows.length, width]);
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
