import * as tf from './tf.js';

/**
 * Frees every tensor that `work` makes, as `tf.tidy` does, and returns plain values: `tidy` would
 * look for tensors in every single one of them.
 */
export function scoped<T>(work: () => T): T {
  tf.engine().startScope();
  try {
    return work();
  } finally {
    tf.engine().endScope();
  }
}
