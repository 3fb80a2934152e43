import { hasAddon, nativeFunction } from './addon.js';
import { embeddingRows } from './reference/embedding-rows.js';

/**
 * The rows that `embedding` looks up, outside of tensors: into `to` [N, E], of `fixed` [V, E] and of
 * `trained` [W, E]. On every thread of the kernels where the addon is built.
 */
export function copyRows(
  fixed: Float32Array,
  trained: Float32Array,
  rows: Int32Array,
  to: Float32Array,
  width: number,
): void {
  if (hasAddon()) nativeFunction('embeddingRows')({ fixed, trained, rows, result: to, width });
  else to.set(embeddingRows(fixed, trained, rows, width));
}
