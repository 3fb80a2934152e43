import { TacetError } from '../../../proto/errors.js';
import type { NativeBackend } from '../native-backend.js';
import { shapeText } from '../shape-check.js';
import type * as tf from '../tf.js';
import { areFloats, input, nativeKernel, sizeOf } from './native-kernel.js';

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
      return backend.alias(x, reshaped(x.shape, attributes.shape as number[]));
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

/** `wanted` with its -1, if any, worked out: tfjs's own function lets an empty tensor become any. */
function reshaped(shape: readonly number[], wanted: readonly number[]): number[] {
  const known = wanted.filter((size) => size !== -1);
  const size = sizeOf(shape);
  const found = wanted.map((one) => (one === -1 ? size / sizeOf(known) : one));
  const fits =
    wanted.length - known.length <= 1 &&
    found.every((one) => Number.isInteger(one) && one >= 0) &&
    sizeOf(found) === size;
  if (fits) return found;
  throw new TacetError(
    'tensor-invalid',
    `the new shape is ${shapeText(wanted)}; expected one of ${size} elements`,
  );
}

function constant(backend: NativeBackend, shape: number[], value: number): tf.TensorInfo {
  const { info, values } = backend.output(shape);
  values.fill(value);
  return info;
}
