import { nativeFunction } from '../addon.js';
import { UNARY } from '../elementwise-ops.js';
import type * as tf from '../tf.js';
import { areFloats, input, type KernelAttributes, nativeKernel } from './native-kernel.js';

/** Elementwise ops of one tensor. */
export function unaryKernels(): tf.KernelConfig[] {
  const step = nativeFunction('Step');
  const clip = nativeFunction('ClipByValue');
  return [
    ...UNARY.map((name) => {
      const compute = nativeFunction(name);
      return unaryKernel(name, (x, result) => compute(x, result));
    }),
    unaryKernel('Step', (x, result, { alpha }) => step(x, result, alpha as number)),
    unaryKernel('ClipByValue', (x, result, { clipValueMin, clipValueMax }) =>
      clip(x, result, clipValueMin as number, clipValueMax as number),
    ),
  ];
}

function unaryKernel(
  name: string,
  compute: (x: Float32Array, result: Float32Array, attributes: KernelAttributes) => void,
): tf.KernelConfig {
  return nativeKernel(name, (backend, inputs, attributes) => {
    const x = input(inputs, 'x');
    if (!areFloats(x)) return undefined;
    const { info, values } = backend.output(x.shape);
    compute(backend.values(x), values, attributes);
    return info;
  });
}
