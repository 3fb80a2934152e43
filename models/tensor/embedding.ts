import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { embeddingRows } from './reference/embedding-rows.js';
import { checkShapes } from './shape-check.js';
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
 * for rows that neither table has.
 */
export function embedding(
  fixed: Float32Array,
  trained: tf.Tensor2D,
  rows: Int32Array,
): tf.Tensor2D {
  const [count, width] = trained.shape;
  checkShapes(
    'embedding',
    {
      fixed: [fixed.length],
      trained: trained.shape,
      'lowest and highest row': [rows.reduce(lower, 0), rows.reduce(higher, 0)],
    },
    'fixed [V * E], trained [W, E], rows from -1 - W to V - 1; E > 0',
    width > 0 &&
      fixed.length % width === 0 &&
      rows.every((row) => row >= trainedRow(count - 1) && row < fixed.length / width),
  );
  if (rows.every((row) => row >= ZERO_ROW)) {
    return requireFinite('embedding', lookedUp(fixed, undefined, rows, width), {});
  }
  const op = tf.customGrad((table) => ({
    value: lookedUp(fixed, table as tf.Tensor2D, rows, width),
    gradFunc: (dy: tf.Tensor) => trainedGradient(dy as tf.Tensor2D, count, rows),
  }));
  return requireFinite('embedding', op(trained) as tf.Tensor2D, { trained });
}

const lower = (a: number, b: number) => Math.min(a, b);
const higher = (a: number, b: number) => Math.max(a, b);

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
