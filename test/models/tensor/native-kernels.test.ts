import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { expectClose } from './gradient-check.js';
import { instructionSets, useInstructionSet } from './native-session.js';

const ISAS = instructionSets();

type Op = (...inputs: tf.Tensor[]) => tf.Tensor | tf.Tensor[];

interface Example {
  readonly shape: number[];
  readonly values: Float32Array;
}

const SPECIAL = [
  0,
  -0,
  1e-30,
  -1e-30,
  1e30,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

/**
 * Runs `op` on tfjs's CPU backend and on ours with every instruction set, and compares shapes, types
 * and values.
 */
function expectSame(op: Op, examples: readonly Example[], tolerance = 1e-5): void {
  const expected = outputsOn('cpu', op, examples);
  for (const isa of ISAS) {
    const before = nativeFunction('useIsa')(isa);
    const found = outputsOn('native', op, examples);
    nativeFunction('useIsa')(before);
    expect(found.map(({ shape, dtype }) => ({ shape, dtype }))).toEqual(
      expected.map(({ shape, dtype }) => ({ shape, dtype })),
    );
    found.forEach(({ values }, i) => {
      expectSameValues(values, expected[i]?.values as Float32Array, tolerance);
    });
  }
}

function outputsOn(backend: string, op: Op, examples: readonly Example[]): Output[] {
  tf.setBackend(backend);
  return tf.tidy(() => {
    const outputs = op(...examples.map(({ values, shape }) => tf.tensor(values.slice(), shape)));
    return [outputs].flat().map((output) => ({
      shape: output.shape,
      dtype: output.dtype,
      values: output.dataSync<'float32'>().slice(),
    }));
  });
}

interface Output {
  readonly shape: number[];
  readonly dtype: string;
  readonly values: Float32Array;
}

function expectSameValues(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
) {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < found.length; i++) {
    const [x, y] = [found[i] as number, expected[i] as number];
    if (Object.is(x, y) || x === y) continue;
    if (!(Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y)))) {
      throw new Error(`element ${i} is ${x}; expected ${y}`);
    }
  }
}

const size = fc.integer({ min: 1, max: 7 });
const shapes = fc.array(size, { minLength: 1, maxLength: 4 });

function example(shape: number[], seed = 1): Example {
  const length = shape.reduce((product, n) => product * n, 1);
  return { shape, values: new Random(seed).normals(length) };
}

describe('native kernels equal those of tfjs', () => {
  beforeAll(async () => {
    await useBackend('cpu');
    await useBackend('native');
  });

  afterAll(async () => {
    await useBackend('native');
  });

  test.each<[string, Op]>([
    ['add', (a, b) => tf.add(a as tf.Tensor, b as tf.Tensor)],
    ['sub', (a, b) => tf.sub(a as tf.Tensor, b as tf.Tensor)],
    ['mul', (a, b) => tf.mul(a as tf.Tensor, b as tf.Tensor)],
    ['div', (a, b) => tf.div(a as tf.Tensor, b as tf.Tensor)],
    ['maximum', (a, b) => tf.maximum(a as tf.Tensor, b as tf.Tensor)],
    ['minimum', (a, b) => tf.minimum(a as tf.Tensor, b as tf.Tensor)],
    ['squaredDifference', (a, b) => tf.squaredDifference(a as tf.Tensor, b as tf.Tensor)],
    ['greater', (a, b) => tf.greater(a as tf.Tensor, b as tf.Tensor)],
    ['greaterEqual', (a, b) => tf.greaterEqual(a as tf.Tensor, b as tf.Tensor)],
    ['less', (a, b) => tf.less(a as tf.Tensor, b as tf.Tensor)],
    ['lessEqual', (a, b) => tf.lessEqual(a as tf.Tensor, b as tf.Tensor)],
    ['equal', (a, b) => tf.equal(a as tf.Tensor, b as tf.Tensor)],
    ['notEqual', (a, b) => tf.notEqual(a as tf.Tensor, b as tf.Tensor)],
  ])('%s, over every way to broadcast', (_, op) => {
    const broadcast = shapes.chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        mask: fc.array(fc.boolean(), { minLength: shape.length, maxLength: shape.length }),
        dropped: fc.nat(shape.length - 1),
        swap: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(broadcast, ({ shape, mask, dropped, swap }) => {
        const other = shape.map((n, axis) => (mask[axis] ? 1 : n)).slice(dropped);
        const pair = [example(shape, 1), example(other, 2)];
        expectSame(op, swap ? pair.reverse() : pair);
      }),
      { numRuns: 12 },
    );
    const special = { shape: [SPECIAL.length, 1], values: Float32Array.from(SPECIAL) };
    expectSame(op, [special, { ...special, shape: [SPECIAL.length] }]);
    expectSame(op, [example([130, 300]), example([300], 2)]);
    expectSame(op, [example([40_001]), example([40_001], 2)]);
    expectSame(op, [example([1]), example([], 2)]);
    expectSame(op, [{ shape: [0, 3], values: new Float32Array(0) }, example([3])]);
  });

  test.each<[string, Op]>([
    ['abs', (x) => tf.abs(x as tf.Tensor)],
    ['clipByValue', (x) => tf.clipByValue(x as tf.Tensor, -0.5, 0.7)],
    ['exp', (x) => tf.exp(x as tf.Tensor)],
    ['log', (x) => tf.log(x as tf.Tensor)],
    ['neg', (x) => tf.neg(x as tf.Tensor)],
    ['reciprocal', (x) => tf.reciprocal(x as tf.Tensor)],
    ['relu', (x) => tf.relu(x as tf.Tensor)],
    ['rsqrt', (x) => tf.rsqrt(x as tf.Tensor)],
    ['sigmoid', (x) => tf.sigmoid(x as tf.Tensor)],
    ['softplus', (x) => tf.softplus(x as tf.Tensor)],
    ['sqrt', (x) => tf.sqrt(x as tf.Tensor)],
    ['square', (x) => tf.square(x as tf.Tensor)],
    ['step', (x) => tf.step(x as tf.Tensor, -0.25)],
    ['tanh', (x) => tf.tanh(x as tf.Tensor)],
  ])('%s, special values included', (_, op) => {
    expectSame(op, [example([3, 33, 401])]);
    expectSame(op, [{ shape: [SPECIAL.length], values: Float32Array.from(SPECIAL) }]);
    expectSame(op, [{ shape: [0], values: new Float32Array(0) }]);
  });

  test.each<[string, (x: tf.Tensor, axes: number[], keep: boolean) => tf.Tensor]>([
    ['sum', tf.sum],
    ['mean', tf.mean],
    ['max', tf.max],
    ['min', tf.min],
  ])('%s over any axes', (_, op) => {
    fc.assert(
      fc.property(shapes, fc.nat(15), fc.boolean(), (shape, chosen, keep) => {
        const axes = shape.map((_, axis) => axis).filter((axis) => chosen & (1 << axis));
        expectSame((x) => op(x as tf.Tensor, axes.length > 0 ? axes : [0], keep), [example(shape)]);
      }),
      { numRuns: 20 },
    );
    for (const [shape, axis] of [
      [[300, 130], 0],
      [[130, 301], 1],
      [[40_001], 0],
      [[5, 30, 130], 1],
    ] as const) {
      expectSame((x) => op(x as tf.Tensor, [axis], false), [example([...shape])], 1e-4);
    }
    const nan = {
      shape: [2, 20],
      values: Float32Array.from({ length: 40 }, (_, i) => (i === 25 ? Number.NaN : i)),
    };
    expectSame((x) => op(x as tf.Tensor, [1], false), [nan]);
  });

  test('slice, stridedSlice, split, unstack, pad, reverse, transpose and tile of any box', () => {
    fc.assert(
      fc.property(shapes, fc.nat(1000), (shape, seed) => {
        const random = new Random(seed);
        const x = example(shape);
        const begin = shape.map((n) => random.integer(n));
        const extent = shape.map((n, axis) => 1 + random.integer(n - (begin[axis] as number)));
        const axis = random.integer(shape.length);
        const order = shape.map((_, i) => i);
        random.shuffle(order);
        const paddings = shape.map(
          () => [random.integer(3), random.integer(3)] as [number, number],
        );
        const count = shape[axis] as number;
        const cut = random.integer(count + 1);
        const times = shape.map(() => 1 + random.integer(3));
        const some = order.slice(0, 1 + random.integer(shape.length));
        expectSame((a) => tf.slice(a as tf.Tensor, begin, extent), [x]);
        expectSame(
          (a) =>
            tf.stridedSlice(
              a as tf.Tensor,
              begin,
              shape,
              shape.map(() => 2),
            ),
          [x],
        );
        expectSame((a) => tf.split(a as tf.Tensor, [cut, count - cut], axis), [x]);
        expectSame((a) => tf.unstack(a as tf.Tensor, axis), [x]);
        expectSame((a) => tf.pad(a as tf.Tensor, paddings, 0.5), [x]);
        expectSame((a) => tf.reverse(a as tf.Tensor, some), [x]);
        expectSame((a) => tf.transpose(a as tf.Tensor, order), [x]);
        expectSame((a) => tf.tile(a as tf.Tensor, times), [x]);
      }),
      { numRuns: 20 },
    );
    expectSame((a) => tf.transpose(a as tf.Tensor, [1, 0]), [example([130, 257])]);
    expectSame((a) => tf.transpose(a as tf.Tensor, [1, 0, 2]), [example([33, 41, 64])]);
    expectSame((a) => tf.slice(a as tf.Tensor, [0, 3, 5], [32, 30, 200]), [example([32, 40, 256])]);
  });

  test('concat and stack of any number of tensors along any axis', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.nat(3),
        fc.array(size, { minLength: 1, maxLength: 4 }),
        (shape, at, sizes) => {
          const axis = at % shape.length;
          const parts = sizes.map((n, i) => example(shape.with(axis, n), i + 1));
          expectSame((...all) => tf.concat(all, axis), parts);
          const equal = sizes.map((_, i) => example(shape, i + 1));
          expectSame((...all) => tf.stack(all, at % (shape.length + 1)), equal);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('gather, its gradient, and segment sums', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.nat(3),
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 9 }),
        (shape, at, picks) => {
          const axis = at % shape.length;
          const indices = picks.map((pick) => pick % (shape[axis] as number));
          const gathered = (x: tf.Tensor) => tf.gather(x, tf.tensor1d(indices, 'int32'), axis);
          expectSame((x) => gathered(x as tf.Tensor), [example(shape)]);
          expectSame((x) => tf.grad((y) => gathered(y).square())(x as tf.Tensor), [example(shape)]);
        },
      ),
      { numRuns: 20 },
    );
    tf.setBackend('native');
    expect(() => tf.gather(tf.ones([3, 2]), tf.tensor1d([3], 'int32'))).toThrow(
      /^GatherV2: .*indices must be from 0 to 2, found 3 at 0; got x \[3, 2\], indices \[1\]/,
    );
    expect(() => tf.unsortedSegmentSum(tf.ones([1, 2]), tf.tensor1d([3], 'int32'), 2)).toThrow(
      /^UnsortedSegmentSum: .*segments must be from 0 to 1, found 3 at 0; got x \[1, 2\], segmentIds \[1\]/,
    );
  });

  test('softmax, logSoftmax, where, casts and constants', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const [x, y] = [example(shape, 1), example(shape, 2)];
        expectSame((a) => tf.softmax(a as tf.Tensor), [x]);
        expectSame((a) => tf.logSoftmax(a as tf.Tensor), [x]);
        expectSame(
          (a, b) => tf.where(tf.greater(a as tf.Tensor, 0), a as tf.Tensor, b as tf.Tensor),
          [x, y],
        );
        expectSame((a) => tf.cast(tf.greater(a as tf.Tensor, 0), 'float32'), [x]);
        expectSame((a) => [tf.zerosLike(a as tf.Tensor), tf.onesLike(a as tf.Tensor)], [x]);
        expectSame((a) => tf.add(tf.fill(shape, 2.5), a as tf.Tensor), [x]);
        expectSame((a) => tf.expandDims(tf.reshape(a as tf.Tensor, [-1]), -1), [x]);
      }),
      { numRuns: 20 },
    );
    expectSame(
      (a) => tf.softmax(a as tf.Tensor),
      [{ shape: [1, 3], values: Float32Array.of(1000, 999, -1000) }],
    );
  });
});

describe.each(ISAS)('native elementary functions with %s', (isa) => {
  useInstructionSet(isa);
  beforeAll(async () => {
    await useBackend('native');
  });

  // A grid over the whole float range: every 65,521st bit pattern of either sign.
  const grid = new Float32Array(
    Uint32Array.from({ length: 2 ** 16 }, (_, i) => i * 65521).buffer,
  ).filter((x) => Number.isFinite(x));

  test.each<[string, (x: tf.Tensor) => tf.Tensor, (x: number) => number, number]>([
    ['log', tf.log, Math.log, 2],
    ['softplus', tf.softplus, (x) => (x > 40 ? x : Math.log1p(Math.exp(x))), 4],
  ])('%s is within its bound over the whole range', (_, op, exact, bound) => {
    const dense = Float32Array.from({ length: 50_000 }, (_, i) => (i - 25_000) / 250);
    for (const inputs of [grid, dense]) {
      const found = tf.tidy(() => op(tf.tensor1d(inputs)).dataSync());
      let worst = 0;
      let where = 0;
      inputs.forEach((x, i) => {
        const error = ulps(found[i] as number, exact(x));
        if (!(error <= worst)) [worst, where] = [error, x];
      });
      if (worst > bound) throw new Error(`${worst} ulp at ${where}`);
    }
  });
});

/** The smallest normal float: results under it need only be as small. */
const SMALLEST = 2 ** -126;

/** The error in units in the last place of a float, none where both underflow or overflow alike. */
function ulps(found: number, exact: number): number {
  if (Object.is(found, exact) || found === exact || found === Math.fround(exact)) return 0;
  const magnitude = Math.max(Math.abs(exact), 2 ** -126);
  const unit = 2 ** (Math.floor(Math.log2(magnitude)) - 23);
  if (Math.abs(exact) < SMALLEST && Math.abs(found - exact) <= SMALLEST) return 0;
  return Math.abs(found - exact) / unit;
}

describe('the native backend', () => {
  beforeAll(async () => {
    await useBackend('native');
  });

  test('never writes to an array that was handed out', () => {
    const first = tf.add(tf.ones([1000]), 1);
    const handedOut = first.dataSync();
    first.dispose();
    for (let i = 0; i < 10; i++) tf.add(tf.ones([1000]), i).dispose();
    expectClose(handedOut, new Float32Array(1000).fill(2), 0);
  });

  test('keeps the data of a view and of a clone after the original is disposed', () => {
    const x = tf.add(tf.ones([10, 10]), 1);
    const views = [
      x.reshape([100]),
      x.clone(),
      x.expandDims(0),
      tf.stridedSlice(x, [2, 0], [4, 10], [1, 1]),
    ];
    x.dispose();
    for (let i = 0; i < 10; i++) tf.add(tf.ones([10, 10]), i + 5).dispose();
    for (const view of views) expectClose(view.dataSync(), new Float32Array(view.size).fill(2), 0);
    tf.dispose(views);
  });

  test('computes the same bits with any number of threads', () => {
    const before = nativeFunction('threadCount')();
    const run = (threads: number) => {
      nativeFunction('setThreadCount')(threads);
      return tf.tidy(() => {
        const x = tf.tensor(new Random(1).normals(90_000), [300, 300]);
        return [x.sum(), x.sum(0), x.mean(1), x.softmax(), x.tanh().add(x)].map((y) =>
          Buffer.from(y.dataSync().slice().buffer).toString('base64'),
        );
      });
    };
    expect(run(1)).toEqual(run(3));
    nativeFunction('setThreadCount')(before);
  });

  test.each<[string, RegExp, () => tf.Tensor]>([
    [
      'a reshape to another size',
      /Reshape: the new shape is \[2000000, 3\]; .*got x \[0, 3\]/,
      () => tf.zeros([0, 3]).reshape([2_000_000, 3]),
    ],
    ['two sizes left open', /Reshape: .*\[-1, -1\]/, () => tf.ones([6]).reshape([-1, -1])],
    ['a size that does not divide', /Reshape: .*\[4, -1\]/, () => tf.ones([6]).reshape([4, -1])],
    [
      'negative padding',
      /PadV2: paddings .*-3999.*got x \[4000, 300\]/,
      () =>
        tf.pad(tf.ones([4000, 300]), [
          [0, -3999],
          [0, 0],
        ]),
    ],
    [
      'an axis that is there twice',
      /Transpose: axes \[0,0\].*got x \[3000, 2\]/,
      () => tf.transpose(tf.ones([3000, 2]), [0, 0]),
    ],
  ])('refuses %s, naming the op and the shapes', (_, message, run) => {
    expect(run).toThrow(expect.objectContaining({ code: 'tensor-invalid' }));
    expect(run).toThrow(message);
  });

  test('keeps an empty tensor empty, whatever its shape', () => {
    expect(tf.zeros([0, 3]).reshape([3, -1]).add(1).shape).toEqual([3, 0]);
    expect(tf.zeros([0, 3]).reshape([2, 0, 5]).shape).toEqual([2, 0, 5]);
  });

  test.each<[string, number[]]>([
    ['past the end', [1, 5, 1, 1]],
    ['before the beginning', [1, 2, -1, 1]],
    ['past the end along two axes', [2, 2, 2, 3, 1, 2, 1]],
    ['past the end of the result', [2, 2, 2, 2, 1, 3, 1]],
    ['of a negative count', [1, -2, 1, 1]],
    ['of more elements than the result', [2, 4, 4, 0, 0, 0, 0]],
    ['of so many elements that their count overflows', [3, 2 ** 30, 2 ** 30, 16, ...zeros(6)]],
    ['so far that the distance overflows', [3, 2, 2, 1, 2 ** 31 - 1, 2 ** 31 - 1, 1, 2, 1, 1]],
    ['without axes', [0]],
    ['of a negative rank', [-1, 1, 1, 1]],
    ['of another length', [1, 2, 1]],
  ])('a copy or sum %s is refused', (_, layout) => {
    const [a, b, y] = [new Float32Array(4), new Float32Array(4), new Float32Array(4)];
    const packed = Int32Array.from(layout);
    const copy = { from: a, fromStart: 0, to: y, toStart: 0, layout: packed };
    expect(() => nativeFunction('stridedCopy')(copy)).toThrow('stridedCopy: ');
    expect(() => nativeFunction('Add')(a, b, y, packed)).toThrow('Add: ');
    expect(() => nativeFunction('Less')(a, b, new Uint8Array(4), packed)).toThrow('Less: ');
  });

  test('a copy that starts too far on, and a sum that leaves elements out, are refused', () => {
    const [x, y] = [new Float32Array(4), new Float32Array(4)];
    const three = Int32Array.of(1, 3, 1, 1);
    const copy = (fromStart: number, toStart: number) =>
      nativeFunction('stridedCopy')({ from: x, fromStart, to: y, toStart, layout: three });
    copy(1, 1);
    expect(() => copy(2, 0)).toThrow(/from must be .*, found element 4 of 4/);
    expect(() => copy(0, 2)).toThrow(/to must be .*, found element 4 of 4/);
    expect(() => nativeFunction('Add')(x, x, y, three)).toThrow(
      'layout must be of the 4 elements of the result, found 3',
    );
  });

  test('computes with truth values and whole numbers that were cast to floats', () => {
    const truths = tf.tensor1d([3, 5]).greater(4);
    expect([...truths.cast('int32').cast('float32').add(1).dataSync()]).toEqual([1, 2]);
    expect([...tf.tensor1d([3, 5], 'int32').cast('float32').mul(2).dataSync()]).toEqual([6, 10]);
  });
});

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}
