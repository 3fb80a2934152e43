import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';
import { areFloats, input, type NativeRun, nativeKernel, sizeOf } from './native-kernel.js';

interface EmbeddingAttributes {
  readonly fixed: Float32Array;
  readonly further: Float32Array;
  readonly rows: Int32Array;
  readonly width: number;
}

/** Rows by index with their gradient, choosing between tensors, and truth values as numbers. */
export function gatherKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('GatherV2', gather),
    nativeKernel('UnsortedSegmentSum', segmentSum),
    nativeKernel('EmbeddingRows', embeddingRows),
    nativeKernel('Select', select),
    nativeKernel('Cast', cast),
  ];
}

const gather: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  const indices = input(inputs, 'indices');
  if (!areFloats(x) || indices.dtype !== 'int32' || attributes.batchDims) return undefined;
  const axis = tf.util.parseAxisParam(attributes.axis as number, x.shape)[0] as number;
  const { info, values } = backend.output(x.shape.toSpliced(axis, 1, ...indices.shape));
  nativeFunction('gather')({
    x: backend.values(x),
    indices: integers(backend, indices),
    result: values,
    outer: sizeOf(x.shape.slice(0, axis)),
    count: x.shape[axis] as number,
    inner: sizeOf(x.shape.slice(axis + 1)),
  });
  return info;
};

const segmentSum: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  const ids = input(inputs, 'segmentIds');
  if (!areFloats(x) || ids.dtype !== 'int32') return undefined;
  const count = attributes.numSegments as number;
  const rest = x.shape.slice(ids.shape.length);
  const { info, values } = backend.output([count, ...rest]);
  nativeFunction('segmentSum')({
    x: backend.values(x),
    segments: integers(backend, ids),
    result: values,
    count,
    inner: sizeOf(rest),
  });
  return info;
};

const embeddingRows: NativeRun = (backend, inputs, attributes) => {
  const { fixed, further, rows, width } = attributes as unknown as EmbeddingAttributes;
  const { info, values } = backend.output([rows.length, width]);
  const trained = inputs.trained ? backend.values(inputs.trained) : new Float32Array(0);
  nativeFunction('embeddingRows')({ fixed, further, trained, rows, result: values, width });
  return info;
};

const select: NativeRun = (backend, inputs) => {
  const condition = input(inputs, 'condition');
  const [t, e] = [input(inputs, 't'), input(inputs, 'e')];
  const whole = tf.util.arraysEqual(condition.shape, t.shape);
  if (!areFloats(t, e) || condition.dtype !== 'bool' || !whole) return undefined;
  const { info, values } = backend.output(t.shape);
  const [a, b] = [backend.values(t), backend.values(e)];
  nativeFunction('select')(truths(backend, condition), a, b, values);
  return info;
};

const cast: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (attributes.dtype !== 'float32') return undefined;
  if (areFloats(x)) return backend.alias(x, x.shape);
  if (x.dtype !== 'bool') return undefined;
  const { info, values } = backend.output(x.shape);
  nativeFunction('boolToFloat')(truths(backend, x), values);
  return info;
};

function integers(backend: NativeBackend, info: tf.TensorInfo): Int32Array {
  return Int32Array.from(backend.data.get(info.dataId).values as Int32Array);
}

function truths(backend: NativeBackend, info: tf.TensorInfo): Uint8Array {
  return backend.values(info) as unknown as Uint8Array;
}
