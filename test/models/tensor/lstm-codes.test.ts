import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { bilstm, bilstmOfCodes, type LstmWeights } from '../../../models/tensor/lstm.js';
import * as tf from '../../../models/tensor/tf.js';
import { difference, instructionSets, on } from './native-session.js';

interface Case {
  readonly lengths: Int32Array;
  readonly steps: number;
  readonly inputs: number;
  readonly units: number;
  readonly seed: number;
}

const cases = fc
  .record({
    lengths: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 14 }),
    inputs: fc.integer({ min: 2, max: 40 }),
    units: fc.integer({ min: 1, max: 35 }),
    seed: fc.integer({ min: 1, max: 1000 }),
  })
  .map(
    ({ lengths, ...rest }): Case => ({
      ...rest,
      lengths: Int32Array.from(lengths),
      steps: Math.max(1, ...lengths) + 1,
    }),
  );

/** Numbers in (-1, 1) that depend on the seed alone. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233));
}

/** The weights of two directions. */
function weightsOf({ inputs, units, seed }: Case): tf.Tensor[] {
  return [10, 20].flatMap((offset) => [
    tf.tensor2d(numbers(inputs * 4 * units, seed + offset), [inputs, 4 * units]),
    tf.tensor2d(numbers(units * 4 * units, seed + offset + 1), [units, 4 * units]).mul(0.5),
    tf.tensor1d(numbers(4 * units, seed + offset + 2)),
  ]);
}

function codesOf({ lengths, steps, inputs, seed }: Case): Int32Array {
  return Int32Array.from(numbers(lengths.length * steps, seed), (z) =>
    Math.min(inputs - 1, Math.floor(((z + 1) / 2) * inputs)),
  );
}

/** Outputs, and gradients of an uneven sum of them by all weights, of an op over the codes of a case. */
function outputsAndGradients(
  one: Case,
  run: (codes: tf.Tensor2D, forward: LstmWeights, backward: LstmWeights) => tf.Tensor3D,
): tf.Tensor[] {
  const codes = tf.tensor2d(codesOf(one), [one.lengths.length, one.steps], 'int32');
  const outputs = (weights: tf.Tensor[]) => {
    const [forward, backward] = [weights.slice(0, 3), weights.slice(3)].map(
      ([kernel, recurrent, bias]) => ({ kernel, recurrent, bias }) as LstmWeights,
    ) as [LstmWeights, LstmWeights];
    return run(codes, forward, backward);
  };
  const weights = weightsOf(one);
  const y = outputs(weights);
  const weighting = tf.tensor3d(numbers(y.size, one.seed + 40), y.shape);
  return [y, ...tf.grads((...changed) => outputs(changed).mul(weighting).sum())(weights)];
}

const lookedUp = (one: Case) =>
  outputsAndGradients(one, (codes, forward, backward) =>
    bilstmOfCodes(codes, forward, backward, { lengths: one.lengths }),
  );
const multiplied = (one: Case) =>
  outputsAndGradients(one, (codes, forward, backward) => {
    const x = tf.oneHot(codes, one.inputs, 1, 0, 'float32') as tf.Tensor3D;
    return bilstm(x, forward, backward, { lengths: one.lengths });
  });

const SMALL: Case = { lengths: Int32Array.of(2, 1), steps: 2, inputs: 3, units: 2, seed: 1 };

afterEach(() => useBackend('cpu'));

describe('the LSTM over codes', () => {
  test('gives outputs and gradients of the LSTM over one-hot rows, for any shape, lengths and instruction set', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 3 }), async (one, threads) => {
        const expected = await on('cpu', () => multiplied(one));
        expect(await on('cpu', () => lookedUp(one))).toEqual(expected);
        const before = nativeFunction('setThreadCount')(threads);
        for (const instructionSet of instructionSets()) {
          const found = await on('native', () => lookedUp(one), instructionSet);
          for (const [i, array] of found.entries())
            expect(difference(array, expected[i] as Float32Array)).toBeLessThan(2e-5);
        }
        nativeFunction('setThreadCount')(before);
      }),
      { numRuns: 6, seed: 7 },
    );
  });

  test('refuses codes that no row of the kernel has, and what is no codes', async () => {
    await useBackend('native');
    const [kernel, recurrent, bias] = weightsOf(SMALL);
    const weights = { kernel, recurrent, bias } as LstmWeights;
    const { lengths } = SMALL;
    const over = tf.tensor2d([0, 3, 1, 1], [2, 2], 'int32');
    expect(() => bilstmOfCodes(over, weights, weights, { lengths })).toThrow(
      /lowest and highest code \[0, 3\]; expected codes from 0 to I - 1/,
    );
    const floats = tf.tensor2d([0, 1, 1, 1], [2, 2]);
    expect(() => bilstmOfCodes(floats, weights, weights, { lengths })).toThrow(
      /bilstmOfCodes: got x \[2, 2\].*integer codes x \[B, T\]/,
    );
  });

  test('the kernel itself refuses codes out of range, another number of them, and bfloat16', () => {
    const direction = {
      reverse: false,
      kernel: new Float32Array(24),
      recurrent: new Float32Array(16),
      bias: new Float32Array(8),
    };
    const call = (codes: Int32Array, bfloat16 = false) => ({
      ...{ lengths: Int32Array.of(2, 1), steps: 2, inputs: 3, units: 2 },
      ...{ directions: [direction], y: new Float32Array(8), codes, bfloat16 },
    });
    const forward = nativeFunction('lstmForward');
    expect(() => forward(call(Int32Array.of(0, 3, 1, 1)))).toThrow(/codes must be from 0 to 2/);
    expect(() => forward(call(Int32Array.of(0, 1)))).toThrow(/codes must be of shape \[2, 2\]/);
    if (nativeFunction('hasBfloat16')())
      expect(() => forward(call(Int32Array.of(0, 1, 1, 1), true))).toThrow(/codes must be null/);
  });
});
