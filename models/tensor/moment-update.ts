import { NativeBackend } from './native-backend.js';
import { nativeMomentUpdate, nativeSquaredNorm } from './native-kernels/moments.js';
import {
  type MomentUpdate,
  type ParameterAndMoments,
  referenceMomentUpdate,
  referenceSquaredNorm,
} from './reference/moment-update.js';
import * as tf from './tf.js';

/** One step of Adam or Nadam over one variable, on the backend in use. */
export function momentUpdate(
  variables: ParameterAndMoments,
  gradient: tf.Tensor,
  update: MomentUpdate,
): void {
  const backend = tf.backend();
  if (backend instanceof NativeBackend) nativeMomentUpdate(backend, variables, gradient, update);
  else referenceMomentUpdate(variables, gradient, update);
}

/** The sum of the squares of all elements of all tensors. */
export function squaredNorm(tensors: readonly tf.Tensor[]): number {
  const backend = tf.backend();
  if (backend instanceof NativeBackend) return nativeSquaredNorm(backend, tensors);
  return referenceSquaredNorm(tensors);
}
