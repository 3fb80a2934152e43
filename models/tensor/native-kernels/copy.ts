import { TacetError } from '../../../proto/errors.js';
import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';
import { packLayout, stridesOf } from './layout.js';
import { areFloats, input, type NativeRun, nativeKernel, sizeOf } from './native-kernel.js';

/** A tensor, and the element of it where a box starts, with the box's steps along each axis. */
interface Side {
  readonly values: Float32Array;
  readonly start: number;
  readonly steps: readonly number[];
}

/** Ops that move elements without changing them: one strided copy each. */
export function copyKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('Slice', slice),
    nativeKernel('SplitV', splitV),
    nativeKernel('Unpack', unpack),
    nativeKernel('Concat', concat),
    nativeKernel('Pack', pack),
    nativeKernel('PadV2', pad),
    nativeKernel('Transpose', transpose),
    nativeKernel('Reverse', reverse),
    nativeKernel('Tile', tile),
  ];
}

const slice: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x)) return undefined;
  const [begin, size] = tf.slice_util.parseSliceParams(
    x as tf.Tensor,
    attributes.begin as number[],
    attributes.size as number[],
  );
  tf.slice_util.assertParamsValid(x as tf.Tensor, begin, size);
  return cut(backend, x, begin, size, size);
};

const splitV: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x)) return undefined;
  const axis = axisOf(attributes, x.shape.length);
  const sizes = tf.backend_util.prepareSplitSize(
    x as tf.Tensor,
    attributes.numOrSizeSplits as number[],
    axis,
  );
  let start = 0;
  return sizes.map((count) => {
    const size = x.shape.with(axis, count);
    const part = cut(backend, x, onAxis(size.length, axis, start), size, size);
    start += count;
    return part;
  });
};

const unpack: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'value');
  if (!areFloats(x)) return undefined;
  const axis = axisOf(attributes, x.shape.length);
  const size = x.shape.with(axis, 1);
  return Array.from({ length: x.shape[axis] as number }, (_, index) =>
    cut(backend, x, onAxis(size.length, axis, index), size, x.shape.toSpliced(axis, 1)),
  );
};

const concat: NativeRun = (backend, inputs, attributes) => {
  const parts = Object.values(inputs);
  if (!areFloats(...parts)) return undefined;
  const axis = axisOf(attributes, parts[0]?.shape.length as number);
  tf.backend_util.assertParamsConsistent(
    parts.map((part) => part.shape),
    axis,
  );
  return join(backend, parts, axis, (part) => part.shape);
};

const pack: NativeRun = (backend, inputs, attributes) => {
  const parts = Object.values(inputs);
  if (!areFloats(...parts)) return undefined;
  const axis = axisOf(attributes, (parts[0]?.shape.length as number) + 1);
  return join(backend, parts, axis, (part) => part.shape.toSpliced(axis, 0, 1));
};

const pad: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x)) return undefined;
  const paddings = attributes.paddings as [number, number][];
  if (paddings.flat().some((size) => size < 0)) {
    throw new TacetError('tensor-invalid', `paddings ${list(paddings)}; expected at least 0`);
  }
  const shape = x.shape.map((size, axis) => size + sum(paddings[axis] as [number, number]));
  const { info, values } = backend.output(shape);
  values.fill(attributes.constantValue as number);
  const strides = stridesOf(shape);
  const start = dot(
    paddings.map(([before]) => before),
    strides,
  );
  copy(
    x.shape,
    { values: backend.values(x), start: 0, steps: stridesOf(x.shape) },
    { values, start, steps: strides },
  );
  return info;
};

const transpose: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x)) return undefined;
  const order = attributes.perm as number[];
  if (new Set(order).size < x.shape.length) {
    throw new TacetError('tensor-invalid', `axes ${list(order)}; expected each axis of x once`);
  }
  const strides = stridesOf(x.shape);
  const shape = order.map((axis) => x.shape[axis] as number);
  const from = {
    values: backend.values(x),
    start: 0,
    steps: order.map((axis) => strides[axis] as number),
  };
  return filled(backend, shape, shape, from);
};

const reverse: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x) || x.shape.length === 0) return undefined;
  const axes = tf.util.parseAxisParam(attributes.dims as number[], x.shape);
  const strides = stridesOf(x.shape);
  const steps = strides.map((stride, axis) => (axes.includes(axis) ? -stride : stride));
  const start = sum(
    axes.map((axis) => ((x.shape[axis] as number) - 1) * (strides[axis] as number)),
  );
  return filled(backend, x.shape, x.shape, {
    values: backend.values(x),
    start: Math.max(0, start),
    steps,
  });
};

/** Each axis of a tiled tensor is two of the loop nest: which tile, and where in it. */
const tile: NativeRun = (backend, inputs, attributes) => {
  const x = input(inputs, 'x');
  if (!areFloats(x)) return undefined;
  const times = attributes.reps as number[];
  const strides = stridesOf(x.shape);
  const shape = x.shape.map((size, axis) => size * (times[axis] as number));
  const counts = x.shape.flatMap((size, axis) => [times[axis] as number, size]);
  const steps = strides.flatMap((stride) => [0, stride]);
  return filled(backend, shape, counts, { values: backend.values(x), start: 0, steps });
};

/** The box of `size` at `begin`, as a tensor of `shape`. */
function cut(
  backend: NativeBackend,
  x: tf.TensorInfo,
  begin: readonly number[],
  size: readonly number[],
  shape: readonly number[],
): tf.TensorInfo {
  const steps = stridesOf(x.shape);
  const from = { values: backend.values(x), start: dot(begin, steps), steps };
  return filled(backend, shape, size, from);
}

function join(
  backend: NativeBackend,
  parts: readonly tf.TensorInfo[],
  axis: number,
  boxOf: (part: tf.TensorInfo) => number[],
): tf.TensorInfo {
  const boxes = parts.map(boxOf);
  const shape = (boxes[0] as number[]).with(axis, sum(boxes.map((box) => box[axis] as number)));
  const { info, values } = backend.output(shape);
  const steps = stridesOf(shape);
  let start = 0;
  parts.forEach((part, i) => {
    const box = boxes[i] as number[];
    const from = { values: backend.values(part), start: 0, steps: stridesOf(box) };
    copy(box, from, { values, start, steps });
    start += (box[axis] as number) * (steps[axis] as number);
  });
  return info;
}

/** A new tensor of `shape`, filled in order from a loop nest of `counts`. */
function filled(
  backend: NativeBackend,
  shape: readonly number[],
  counts: readonly number[],
  from: Side,
): tf.TensorInfo {
  const { info, values } = backend.output(shape);
  copy(counts, from, { values, start: 0, steps: stridesOf(counts) });
  return info;
}

function copy(counts: readonly number[], from: Side, to: Side): void {
  if (sizeOf(counts) === 0) return;
  const axes = counts.map((count, axis) => ({
    count,
    steps: [from.steps[axis] as number, to.steps[axis] as number],
  }));
  nativeFunction('stridedCopy')({
    from: from.values,
    fromStart: from.start,
    to: to.values,
    toStart: to.start,
    layout: packLayout(axes),
  });
}

function list(values: readonly unknown[]): string {
  return JSON.stringify(values);
}

function axisOf(attributes: Readonly<Record<string, unknown>>, rank: number): number {
  const axis = attributes.axis as number;
  return axis < 0 ? axis + rank : axis;
}

function onAxis(rank: number, axis: number, value: number): number[] {
  return Array.from({ length: rank }, (_, i) => (i === axis ? value : 0));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a.map((value, i) => value * (b[i] as number)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
