import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';
import { areFloats, input, nativeKernel, sizeOf } from './native-kernel.js';

interface EmbeddingAttributes {
  readonly fixed: Float32Array;
  readonly rows: Int32Array;
  readonly width: number;
}

/** Rows by index with their gradient, choosing between tensors, and truth values as numbers. */
export function gatherKernels(): tf.KernelConfig[] {
  const gather = nativeFunction('gather');
  const segmentSum = nativeFunction('segmentSum');
  const select = nativeFunction('select');
  const boolToFloat = nativeFunction('boolToFloat');
  const embeddingRows = nativeFunction('embeddingRows');
  return [
    nativeKernel('GatherV2', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const indices = input(inputs, 'indices');
      if (!areFloats(x) || indices.dtype !== 'int32' || attributes.batchDims) return undefined;
      const axis = tf.util.parseAxisParam(attributes.axis as number, x.shape)[0] as number;
      const { info, values } = backend.output(x.shape.toSpliced(axis, 1, ...indices.shape));
      gather(
        backend.values(x),
        integers(backend, indices),
        values,
        sizeOf(x.shape.slice(0, axis)),
        x.shape[axis] as number,
        sizeOf(x.shape.slice(axis + 1)),
      );
      return info;
    }),
    nativeKernel('UnsortedSegmentSum', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const ids = input(inputs, 'segmentIds');
      if (!areFloats(x) || ids.dtype !== 'int32') return undefined;
      const count = attributes.numSegments as number;
      const rest = x.shape.slice(ids.shape.length);
      const { info, values } = backend.output([count, ...rest]);
      segmentSum(backend.values(x), integers(backend, ids), values, count, sizeOf(rest));
      return info;
    }),
    nativeKernel('EmbeddingRows', (backend, { trained }, attributes) => {
      const { fixed, rows, width } = attributes as unknown as EmbeddingAttributes;
      const { info, values } = backend.output([rows.length, width]);
      const table = trained ? backend.values(trained) : new Float32Array(0);
      embeddingRows(fixed, table, rows, values, width);
      return info;
    }),
    nativeKernel('Select', (backend, inputs) => {
      const condition = input(inputs, 'condition');
      const [t, e] = [input(inputs, 't'), input(inputs, 'e')];
      const whole = tf.util.arraysEqual(condition.shape, t.shape);
      if (!areFloats(t, e) || condition.dtype !== 'bool' || !whole) return undefined;
      const { info, values } = backend.output(t.shape);
      select(truths(backend, condition), backend.values(t), backend.values(e), values);
      return info;
    }),
    nativeKernel('Cast', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      if (attributes.dtype !== 'float32') return undefined;
      if (areFloats(x)) return backend.alias(x, x.shape);
      if (x.dtype !== 'bool') return undefined;
      const { info, values } = backend.output(x.shape);
      boolToFloat(truths(backend, x), values);
      return info;
    }),
  ];
}

function integers(backend: NativeBackend, info: tf.TensorInfo): Int32Array {
  return Int32Array.from(backend.data.get(info.dataId).values as Int32Array);
}

function truths(backend: NativeBackend, info: tf.TensorInfo): Uint8Array {
  return backend.values(info) as unknown as Uint8Array;
}
