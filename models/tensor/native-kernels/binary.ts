import { nativeFunction } from '../addon.js';
import * as tf from '../tf.js';
import { type Axis, packLayout, stridesOf } from './layout.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

const ARITHMETIC = ['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'];
const COMPARISONS = ['Greater', 'GreaterEqual', 'Less', 'LessEqual', 'Equal', 'NotEqual'];

/** Elementwise ops of two tensors, with broadcasting. */
export function binaryKernels(): tf.KernelConfig[] {
  return [
    ...ARITHMETIC.map((name) => binaryKernel(name, false)),
    ...COMPARISONS.map((name) => binaryKernel(name, true)),
  ];
}

function binaryKernel(name: string, compares: boolean): tf.KernelConfig {
  const compute = nativeFunction(name);
  return nativeKernel(name, (backend, inputs) => {
    const a = input(inputs, 'a');
    const b = input(inputs, 'b');
    if (!areFloats(a, b)) return undefined;
    const shape = tf.backend_util.assertAndGetBroadcastShape(a.shape, b.shape);
    const layout = packLayout(broadcastAxes(shape, a.shape, b.shape));
    const { info, values } = compares ? backend.boolOutput(shape) : backend.output(shape);
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
