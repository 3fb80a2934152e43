import { NativeBackend } from './native-backend.js';
import * as tf from './tf.js';

/**
 * What `use` makes of the values of a tensor, which it must not keep: the tensor is disposed of, and
 * its memory is used again at once, as it never is once `dataSync` has handed the array out.
 */
export function consume<R>(tensor: tf.Tensor, use: (values: Float32Array) => R): R {
  const backend = tf.backend();
  try {
    return use(
      backend instanceof NativeBackend ? backend.values(tensor) : tensor.dataSync<'float32'>(),
    );
  } finally {
    tensor.dispose();
  }
}
