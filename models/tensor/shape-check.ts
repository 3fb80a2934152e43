import { TacetError } from '../../proto/errors.js';
import type * as tf from './tf.js';

/** `[2, 3]` as error messages and docstrings write it. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

/** Throws `tensor-invalid`, naming the op and all shapes, unless `holds`. */
export function checkShapes(
  op: string,
  shapes: Readonly<Record<string, readonly number[]>>,
  expected: string,
  holds: boolean,
): void {
  if (holds) return;
  const found = Object.entries(shapes).map(([name, shape]) => `${name} ${shapeText(shape)}`);
  throw new TacetError('tensor-invalid', `${op}: got ${found.join(', ')}; expected ${expected}`);
}

/** Throws `tensor-invalid`, naming the op, all shapes and types, unless all tensors are of float32. */
export function checkFloats(op: string, tensors: Readonly<Record<string, tf.Tensor>>): void {
  const all = Object.entries(tensors);
  if (all.every(([, { dtype }]) => dtype === 'float32')) return;
  const found = all.map(([name, { shape, dtype }]) => `${name} ${shapeText(shape)} of ${dtype}`);
  throw new TacetError('tensor-invalid', `${op}: got ${found.join(', ')}; expected float32`);
}

/** The lowest and the highest of `values`. */
export function extremesOf(values: Int32Array): [lowest: number, highest: number] {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return [lowest, highest];
}

/** Throws `tensor-invalid` where `values` hold a NaN or an infinity. */
export function checkFinite(
  op: string,
  name: string,
  shape: readonly number[],
  values: ArrayLike<number>,
): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    throw new TacetError(
      'tensor-invalid',
      `${op}: ${name} ${shapeText(shape)} holds ${values[i]} at ${i}; expected finite numbers`,
    );
  }
}
