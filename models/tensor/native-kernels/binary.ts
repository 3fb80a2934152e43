import { nativeFunction } from '../addon.js';
import {
  ARITHMETIC,
  type ArithmeticOp,
  COMPARISONS,
  type ComparisonOp,
} from '../elementwise-ops.js';
import type { NativeBackend } from '../native-backend.js';
import type { Binary } from '../native-functions.js';
import * as tf from '../tf.js';
import { type Axis, packLayout, stridesOf } from './layout.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

/** Elementwise ops of two tensors, with broadcasting. */
export function binaryKernels(): tf.KernelConfig[] {
  return [
    ...ARITHMETIC.map((name) =>
      binaryKernel(name, nativeFunction(name), (backend, shape) => backend.output(shape)),
    ),
    ...COMPARISONS.map((name) =>
      binaryKernel(name, nativeFunction(name), (backend, shape) => backend.boolOutput(shape)),
    ),
  ];
}

function binaryKernel<Result extends Float32Array | Uint8Array>(
  name: ArithmeticOp | ComparisonOp,
  compute: Binary<Result>,
  output: (
    backend: NativeBackend,
    shape: readonly number[],
  ) => { info: tf.TensorInfo; values: Result },
): tf.KernelConfig {
  return nativeKernel(name, (backend, inputs) => {
    const a = input(inputs, 'a');
    const b = input(inputs, 'b');
    if (!areFloats(a, b)) return undefined;
    const shape = tf.backend_util.assertAndGetBroadcastShape(a.shape, b.shape);
    const layout = packLayout(broadcastAxes(shape, a.shape, b.shape));
    const { info, values } = output(backend, shape);
    if (values.length > 0) compute(backend.values(a), backend.values(b), values, layout);
    return info;
  });
}

function broadcastAxes(
  shape: readonly number[],
  a: readonly number[],
  b: readonly number[],
): Axis[] {
  const operands = [a, b].map((operand) => ({
    strides: stridesOf(operand),
    shape: operand,
    missing: shape.length - operand.length,
  }));
  return shape.map((count, axis) => ({
    count,
    steps: operands.map((operand) => {
      const own = axis - operand.missing;
      return own < 0 || operand.shape[own] === 1 ? 0 : (operand.strides[own] as number);
    }),
  }));
}
