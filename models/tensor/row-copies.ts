import { hasAddon, nativeFunction } from './addon.js';
import { embeddingRows } from './reference/embedding-rows.js';

const NONE = new Float32Array(0);

/**
 * The rows that `embedding` looks up, outside of tensors: into `to` [N, E], of `fixed` [V, E] and of
 * `further` [U, E]. On every thread of the kernels where the addon is built.
 */
export function copyRows(
  fixed: Float32Array,
  further: Float32Array,
  rows: Int32Array,
  to: Float32Array,
  width: number,
): void {
  const tables = { fixed, further, trained: NONE };
  if (hasAddon()) nativeFunction('embeddingRows')({ ...tables, rows, result: to, width });
  else to.set(embeddingRows(fixed, further, NONE, rows, width));
}
