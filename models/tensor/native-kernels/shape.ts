import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

/** Ops that give the same data another shape or type, and constant tensors. */
export function shapeKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('Identity', (backend, inputs) => {
      const x = input(inputs, 'x');
      return areFloats(x) ? backend.alias(x, x.shape) : undefined;
    }),
    nativeKernel('Reshape', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      if (!areFloats(x)) return undefined;
      const size = tf.util.sizeFromShape(x.shape);
      return backend.alias(x, tf.util.inferFromImplicitShape(attributes.shape as number[], size));
    }),
    nativeKernel('ExpandDims', (backend, inputs, attributes) => {
      const x = input(inputs, 'input');
      if (!areFloats(x)) return undefined;
      const axis = attributes.dim as number;
      return backend.alias(x, x.shape.toSpliced(axis < 0 ? axis + x.shape.length + 1 : axis, 0, 1));
    }),
    nativeKernel('Fill', (backend, _, attributes) => {
      const { shape, value, dtype } = attributes;
      if (typeof value !== 'number' || (dtype ?? 'float32') !== 'float32') return undefined;
      return constant(backend, shape as number[], value);
    }),
    nativeKernel('ZerosLike', (backend, inputs) => {
      const x = input(inputs, 'x');
      return areFloats(x) ? constant(backend, x.shape, 0) : undefined;
    }),
    nativeKernel('OnesLike', (backend, inputs) => {
      const x = input(inputs, 'x');
      return areFloats(x) ? constant(backend, x.shape, 1) : undefined;
    }),
  ];
}

function constant(backend: NativeBackend, shape: number[], value: number): tf.TensorInfo {
  const { info, values } = backend.output(shape);
  values.fill(value);
  return info;
}
