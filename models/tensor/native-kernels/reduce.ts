import { nativeFunction } from '../addon.js';
import type { Reduction } from '../native-records.js';
import * as tf from '../tf.js';
import { areFloats, input, nativeKernel, sizeOf } from './native-kernel.js';

/** Reductions over neighbouring axes; others are left to tfjs, which transposes first. */
export function reduceKernels(): tf.KernelConfig[] {
  const sum = nativeFunction('sum');
  const extreme = nativeFunction('extreme');
  return [
    reduction('Sum', (call) => sum({ ...call, scale: 1 })),
    reduction('Mean', (call) => sum({ ...call, scale: 1 / call.middle })),
    reduction('Max', (call) => extreme({ ...call, sign: 1 })),
    reduction('Min', (call) => extreme({ ...call, sign: -1 })),
  ];
}

function reduction(kernelName: string, compute: (call: Reduction) => void): tf.KernelConfig {
  return nativeKernel(kernelName, (backend, inputs, attributes) => {
    const x = input(inputs, 'x');
    const axes = axesOf(attributes, x.shape);
    if (
      !areFloats(x) ||
      !axes.every((axis, i) => i === 0 || axis === (axes[i - 1] as number) + 1)
    ) {
      return undefined;
    }
    const first = axes[0] ?? x.shape.length;
    const after = first + axes.length;
    const kept = attributes.keepDims ? axes.map(() => 1) : [];
    const shape = [...x.shape.slice(0, first), ...kept, ...x.shape.slice(after)];
    const { info, values } = backend.output(shape);
    compute({
      x: backend.values(x),
      result: values,
      outer: sizeOf(x.shape.slice(0, first)),
      middle: sizeOf(x.shape.slice(first, after)),
      inner: sizeOf(x.shape.slice(after)),
    });
    return info;
  });
}

/** The reduced axes in order; none or null in an op's attributes means all. */
function axesOf(attributes: Readonly<Record<string, unknown>>, shape: number[]): number[] {
  const axes = (attributes.axis ?? attributes.reductionIndices) as number | number[];
  return tf.util.parseAxisParam(axes, shape).sort((a, b) => a - b);
}
