/** tfjs's tensors have at most 6 axes; a tiled one has two loops an axis. */
const MAX_RANK = 12;

/** What one level of a loop nest runs over: its count, and how far each operand moves a step. */
export interface Axis {
  readonly count: number;
  readonly steps: readonly number[];
}

/** Elements between neighbours along each axis of a dense tensor. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis] as number;
  }
  return strides;
}

/**
 * A loop nest over two operands as the addon reads it: rank, counts, steps of the first, steps of
 * the second; axes of one element left out and axes that continue each other joined.
 */
export function packLayout(axes: readonly Axis[]): Int32Array {
  const packed: Axis[] = [];
  for (const axis of axes) {
    if (axis.count === 1) continue;
    const outer = packed.at(-1);
    if (outer && continues(outer, axis)) {
      packed[packed.length - 1] = { count: outer.count * axis.count, steps: axis.steps };
    } else {
      packed.push(axis);
    }
  }
  if (packed.length === 0) packed.push({ count: 1, steps: [1, 1] });
  if (packed.length > MAX_RANK) throw new RangeError(`a tensor has over ${MAX_RANK} axes`);
  const column = (operand: number) => packed.map((axis) => axis.steps[operand] as number);
  return Int32Array.of(
    packed.length,
    ...packed.map((axis) => axis.count),
    ...column(0),
    ...column(1),
  );
}

function continues(outer: Axis, inner: Axis): boolean {
  return inner.steps.every((step, operand) => outer.steps[operand] === step * inner.count);
}
