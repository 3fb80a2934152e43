import { NativeBackend } from './native-backend.js';
import * as tf from './tf.js';

/**
 * What `use` makes of the values of a tensor, which it must neither keep nor change. Memory of the tensor can be used
 * again once it is disposed of, as it never can once `dataSync` has handed the array out.
 */
export function borrow<R>(tensor: tf.Tensor, use: (values: Float32Array) => R): R {
  const backend = tf.backend();
  return use(
    backend instanceof NativeBackend ? backend.values(tensor) : tensor.dataSync<'float32'>(),
  );
}

/** As `borrow`, and the tensor is disposed of. */
export function consume<R>(tensor: tf.Tensor, use: (values: Float32Array) => R): R {
  try {
    return borrow(tensor, use);
  } finally {
    tensor.dispose();
  }
}

/** A copy of the values of a tensor. */
export function copyOf(tensor: tf.Tensor): Float32Array {
  return borrow(tensor, (values) => values.slice());
}
