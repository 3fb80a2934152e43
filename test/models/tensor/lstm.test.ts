import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { bilstm, type LstmWeights, lstm } from '../../../models/tensor/lstm.js';
import { Adam } from '../../../models/tensor/optimiser.js';
import * as tf from '../../../models/tensor/tf.js';
import { TacetError } from '../../../proto/errors.js';
import { difference, instructionSets, on } from './native-session.js';

interface Case {
  readonly lengths: Int32Array;
  readonly steps: number;
  readonly inputs: number;
  readonly units: number;
  readonly masked: boolean;
  readonly seed: number;
}

/** Numbers in (-1, 1) that depend on the seed alone. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233));
}

const cases = fc.record({
  lengths: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 14 }),
  padding: fc.integer({ min: 0, max: 2 }),
  inputs: fc.integer({ min: 1, max: 37 }),
  units: fc.integer({ min: 1, max: 35 }),
  masked: fc.boolean(),
  seed: fc.integer({ min: 1, max: 1000 }),
});

function caseOf({
  lengths,
  padding,
  ...rest
}: typeof cases extends fc.Arbitrary<infer T> ? T : never) {
  return { ...rest, lengths: Int32Array.from(lengths), steps: Math.max(1, ...lengths) + padding };
}

/** x, the weights of two directions, and for masked cases two masks. */
function inputsOf({ lengths, steps, inputs, units, masked, seed }: Case): tf.Tensor[] {
  const weights = (offset: number) => [
    tf.tensor2d(numbers(inputs * 4 * units, seed + offset), [inputs, 4 * units]).mul(0.5),
    tf.tensor2d(numbers(units * 4 * units, seed + offset + 1), [units, 4 * units]).mul(0.5),
    tf.tensor1d(numbers(4 * units, seed + offset + 2)),
  ];
  const mask = (offset: number) =>
    tf
      .tensor2d(numbers(lengths.length * units, seed + offset), [lengths.length, units])
      .greater(-0.5)
      .cast('float32')
      .mul(1.3);
  return [
    tf.tensor3d(numbers(lengths.length * steps * inputs, seed), [lengths.length, steps, inputs]),
    ...weights(10),
    ...weights(20),
    ...(masked ? [mask(30), mask(31)] : []),
  ];
}

function weightsOf([kernel, recurrent, bias]: tf.Tensor[]): LstmWeights {
  return { kernel, recurrent, bias } as LstmWeights;
}

function run(one: Case, [x, ...rest]: tf.Tensor[]): tf.Tensor3D {
  const [forward, backward] = [rest.slice(0, 3), rest.slice(3, 6)];
  const masks = { forward: rest[6], backward: rest[7] } as {
    forward: tf.Tensor2D;
    backward: tf.Tensor2D;
  };
  return bilstm(x as tf.Tensor3D, weightsOf(forward), weightsOf(backward), {
    lengths: one.lengths,
    ...(one.masked && { recurrentMasks: masks }),
  });
}

/** The outputs, and the gradients of a sum of them weighted unevenly, by x and all weights. */
function outputsAndGradients(one: Case): tf.Tensor[] {
  const inputs = inputsOf(one);
  const masks = inputs.slice(7);
  const y = run(one, inputs);
  const weighting = tf.tensor3d(numbers(y.size, one.seed + 40), y.shape);
  const loss = (...differentiable: tf.Tensor[]) =>
    run(one, [...differentiable, ...masks])
      .mul(weighting)
      .sum();
  return [y, ...tf.grads(loss)(inputs.slice(0, 7))];
}

/** The outputs, computed where a gradient may follow. */
function recordedOutputs(one: Case): tf.Tensor {
  let y: tf.Tensor = tf.scalar(0);
  const [x, ...rest] = inputsOf(one) as [tf.Tensor, ...tf.Tensor[]];
  tf.grad((changed) => {
    y = tf.keep(run(one, [changed, ...rest]));
    return y.sum();
  })(x);
  return y;
}

const SMALL: Case = {
  lengths: Int32Array.of(2),
  steps: 2,
  inputs: 2,
  units: 2,
  masked: false,
  seed: 1,
};

afterEach(() => useBackend('cpu'));

describe('the LSTM over a sequence', () => {
  test('gives outputs and gradients of the reference, for any shape, lengths and masks', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (random) => {
        const one = caseOf(random);
        const expected = await on('cpu', () => outputsAndGradients(one));
        for (const instructionSet of instructionSets()) {
          const found = await on('native', () => outputsAndGradients(one), instructionSet);
          for (const [i, array] of found.entries()) {
            expect(difference(array, expected[i] as Float32Array)).toBeLessThan(2e-5);
          }
        }
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  test.each(['cpu', 'native'] as const)(
    'has gradients on %s that agree with finite differences',
    async (backend) => {
      const one: Case = {
        lengths: Int32Array.of(4, 1, 3),
        steps: 4,
        inputs: 3,
        units: 5,
        masked: true,
        seed: 3,
      };
      const [y, ...gradients] = await on(backend, () => outputsAndGradients(one));
      const weighting = numbers((y as Float32Array).length, one.seed + 40);
      await useBackend(backend);
      const inputs = inputsOf(one);
      const loss = (changed: tf.Tensor[]) =>
        tf.tidy(() =>
          Array.from(run(one, changed).dataSync()).reduce(
            (sum, value, i) => sum + value * (weighting[i] as number),
            0,
          ),
        );
      for (const [i, gradient] of gradients.entries()) {
        const input = inputs[i] as tf.Tensor;
        const direction = numbers(input.size, 50 + i);
        const along = (step: number) =>
          inputs.map((other, j) =>
            j === i ? other.add(tf.tensor(direction, other.shape).mul(step)) : other,
          );
        const step = 1e-2;
        const slope = (loss(along(step)) - loss(along(-step))) / (2 * step);
        const expected = gradient.reduce((sum, g, j) => sum + g * (direction[j] as number), 0);
        expect(Math.abs(slope - expected)).toBeLessThan(2e-3 * (1 + Math.abs(expected)));
      }
    },
  );

  test.each(['cpu', 'native'] as const)(
    'neither reads nor writes past a length on %s',
    async (backend) => {
      const one: Case = {
        lengths: Int32Array.of(2, 0, 3),
        steps: 4,
        inputs: 6,
        units: 4,
        masked: false,
        seed: 5,
      };
      const spoilt = (): tf.Tensor[] => {
        const inputs = inputsOf(one);
        const values = Float32Array.from((inputs[0] as tf.Tensor).dataSync());
        for (let b = 0; b < 3; b++) {
          values.fill(Number.NaN, (b * 4 + (one.lengths[b] as number)) * 6, (b + 1) * 4 * 6);
        }
        const x = tf.tensor3d(values, [3, 4, 6]);
        const rest = inputs.slice(1);
        const gradient = tf.grad((changed) => run(one, [changed, ...rest]).sum());
        return [run(one, [x, ...rest]), gradient(x)];
      };
      const [y, dx] = await on(backend, spoilt);
      for (const [array, width] of [[y, 8] as const, [dx, 6] as const]) {
        for (let b = 0; b < 3; b++) {
          const end = (one.lengths[b] as number) * width;
          const row = (array as Float32Array).subarray(b * 4 * width, (b + 1) * 4 * width);
          expect(row.subarray(0, end).every(Number.isFinite)).toBe(true);
          expect(row.subarray(end).every((value) => value === 0)).toBe(true);
        }
      }
    },
  );

  test('gives the same bits again, and with any number of threads', async () => {
    const one: Case = {
      lengths: Int32Array.from({ length: 33 }, (_, b) => 1 + ((b * 7) % 19)),
      steps: 20,
      inputs: 50,
      units: 40,
      masked: true,
      seed: 9,
    };
    const first = await on('native', () => outputsAndGradients(one));
    for (const threads of [1, 2, 5]) {
      const before = nativeFunction('setThreadCount')(threads);
      expect(await on('native', () => outputsAndGradients(one))).toEqual(first);
      nativeFunction('setThreadCount')(before);
    }
  });

  test('gives the same bits where no gradient can follow, for every shape', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 4 }), async (random, threads) => {
        const one = caseOf(random);
        const before = nativeFunction('setThreadCount')(threads);
        for (const instructionSet of instructionSets()) {
          const plain = await on('native', () => [run(one, inputsOf(one))], instructionSet);
          const taped = await on('native', () => [recordedOutputs(one)], instructionSet);
          expect(taped).toEqual(plain);
        }
        nativeFunction('setThreadCount')(before);
      }),
      { numRuns: 15, seed: 8 },
    );
  });

  test('sees weights that an optimiser has changed in place', async () => {
    await useBackend('native');
    const one: Case = { ...SMALL, lengths: Int32Array.of(3, 2), steps: 3 };
    const [x, kernel, ...rest] = inputsOf(one) as [tf.Tensor, tf.Tensor, ...tf.Tensor[]];
    const variable = tf.variable(kernel);
    const outputs = () => run(one, [x, variable, ...rest]);
    const optimiser = new Adam([variable], { learningRate: 0.1, clipNorm: 1 });
    const first = outputs().dataSync().slice();
    for (let step = 0; step < 3; step++) {
      optimiser.apply({ [variable.name]: tf.onesLike(kernel) });
      const fresh = run(one, [x, variable.clone(), ...rest]).dataSync();
      expect(outputs().dataSync()).toEqual(fresh);
    }
    expect(outputs().dataSync()).not.toEqual(first);
  });

  const bfloat16 = nativeFunction('hasBfloat16')() ? test : test.skip;

  bfloat16(
    'gives outputs within 1 % of float32 in bfloat16, and gradients in float32',
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (random) => {
          const one = caseOf(random);
          const [exact] = await on('native', () => [run(one, inputsOf(one))]);
          const gradients = await on('native', () => outputsAndGradients(one));
          await useBackend('native', 'bfloat16');
          const rounded = tf.tidy(() => run(one, inputsOf(one)).dataSync<'float32'>().slice());
          const recorded = tf.tidy(() => outputsAndGradients(one).map((each) => each.dataSync()));
          expect(difference(rounded, exact as Float32Array)).toBeLessThan(0.01);
          expect(recorded.slice(1)).toEqual(gradients.slice(1));
        }),
        { numRuns: 15, seed: 9 },
      );
    },
  );

  test('runs one direction, forwards or from the end, as the halves of the two', async () => {
    const one: Case = {
      lengths: Int32Array.of(3, 5),
      steps: 5,
      inputs: 4,
      units: 3,
      masked: false,
      seed: 11,
    };
    const [both, forward, backward] = await on('native', () => {
      const inputs = inputsOf(one);
      const x = inputs[0] as tf.Tensor3D;
      const { lengths } = one;
      return [
        run(one, inputs),
        lstm(x, weightsOf(inputs.slice(1, 4)), { lengths }),
        lstm(x, weightsOf(inputs.slice(4, 7)), { lengths, reverse: true }),
      ];
    });
    const half = (from: number) => (_: number, i: number) => i % 6 >= from && i % 6 < from + 3;
    expect(both?.filter(half(0))).toEqual(forward);
    expect(both?.filter(half(3))).toEqual(backward);
  });

  test('trains through two uses of the same weights', async () => {
    const one: Case = {
      lengths: Int32Array.of(3, 2),
      steps: 3,
      inputs: 4,
      units: 4,
      masked: false,
      seed: 13,
    };
    const gradients = () => {
      const [x, ...rest] = inputsOf(one);
      const doubled = tf.grad((kernel) => {
        const inputs = [kernel, ...rest.slice(1)];
        return run(one, [x as tf.Tensor, ...inputs])
          .add(run(one, [(x as tf.Tensor).mul(2), ...inputs]))
          .sum();
      });
      return [doubled(rest[0] as tf.Tensor)];
    };
    const [expected] = await on('cpu', gradients);
    const [found] = await on('native', gradients);
    expect(difference(found as Float32Array, expected as Float32Array)).toBeLessThan(2e-5);
  });

  test('keeps no tensor beyond its output', async () => {
    await useBackend('native');
    const inputs = inputsOf(SMALL);
    const before = tf.memory().numTensors;
    const y = run(SMALL, inputs);
    expect(tf.memory().numTensors).toBe(before + 1);
    tf.dispose([y, ...inputs]);
  });

  test('looks at the lengths of any number of sequences', async () => {
    await useBackend('native');
    const inputs = inputsOf({ ...SMALL, steps: 1, inputs: 1, units: 1 });
    const count = 200_000;
    const lengths = new Int32Array(count).with(count - 1, 2);
    const x = tf.zeros<tf.Rank.R3>([count, 1, 1]);
    expect(() => lstm(x, weightsOf(inputs.slice(1, 4)), { lengths })).toThrow(
      /lstm: got x \[200000, 1, 1\], lengths \[0, 2\]/,
    );
  });

  test('refuses shapes and lengths that do not fit, naming the op and the shapes', async () => {
    await useBackend('native');
    const one: Case = { ...SMALL, lengths: Int32Array.of(2, 3) };
    const inputs = inputsOf(one);
    expect(() => run(one, inputs)).toThrow(TacetError);
    expect(() => run(one, inputs)).toThrow(/bilstm: .*lengths \[2, 3\]/);
    const narrow = { ...one, lengths: Int32Array.of(2) };
    expect(() => run(narrow, inputs)).toThrow(/bilstm: got x \[2, 2, 2\].*lengths \[1\]/);
  });
});
