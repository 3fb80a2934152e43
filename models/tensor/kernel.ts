import * as tf from './tf.js';

/** Whether the backend in use brings its own kernel of a fused op; the reference serves elsewhere. */
export function hasKernel(name: string): boolean {
  return tf.getKernel(name, tf.getBackend()) != null;
}

/** Runs a fused op's kernel on the backend in use. */
export function runKernel(
  name: string,
  inputs: Readonly<Record<string, tf.Tensor>>,
  attributes: object = {},
): tf.Tensor[] {
  const output = tf.engine().runKernel(name, { ...inputs }, { ...attributes });
  return Array.isArray(output) ? output : [output as tf.Tensor];
}
