import { nativeFunction } from '../addon.js';
import * as tf from '../tf.js';
import { areFloats, input, type NativeRun, nativeKernel, sizeOf } from './native-kernel.js';

/** Reductions over neighbouring axes; others are left to tfjs, which transposes first. */
export function reduceKernels(): tf.KernelConfig[] {
  const sum = nativeFunction('sum');
  const extreme = nativeFunction('extreme');
  return [
    nativeKernel(
      'Sum',
      reduction(sum, () => 1),
    ),
    nativeKernel(
      'Mean',
      reduction(sum, (count) => 1 / count),
    ),
    nativeKernel(
      'Max',
      reduction(extreme, () => 1),
    ),
    nativeKernel(
      'Min',
      reduction(extreme, () => -1),
    ),
  ];
}

/** `constant` is the function's last argument, from the number of elements in one reduction. */
function reduction(
  compute: ReturnType<typeof nativeFunction>,
  constant: (count: number) => number,
): NativeRun {
  return (backend, inputs, attributes) => {
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
    const [outer, middle, inner] = [
      sizeOf(x.shape.slice(0, first)),
      sizeOf(x.shape.slice(first, after)),
      sizeOf(x.shape.slice(after)),
    ];
    const kept = attributes.keepDims ? axes.map(() => 1) : [];
    const shape = [...x.shape.slice(0, first), ...kept, ...x.shape.slice(after)];
    const { info, values } = backend.output(shape);
    compute(backend.values(x), values, outer, middle, inner, constant(middle));
    return info;
  };
}

/** The reduced axes in order; none or null in an op's attributes means all. */
function axesOf(attributes: Readonly<Record<string, unknown>>, shape: number[]): number[] {
  const axes = (attributes.axis ?? attributes.reductionIndices) as number | number[];
  return tf.util.parseAxisParam(axes, shape).sort((a, b) => a - b);
}
