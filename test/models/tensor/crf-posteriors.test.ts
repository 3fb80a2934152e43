import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CrfValues, labelPosteriors } from '../../../models/networks/opinion-pool.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { crfPosteriors } from '../../../models/tensor/crf.js';
import { scoped } from '../../../models/tensor/scoped.js';
import * as tf from '../../../models/tensor/tf.js';
import './native-session.js';

const score = fc.double({ min: -6, max: 6, noNaN: true });
const scores = (count: number) =>
  fc.array(score, { minLength: count, maxLength: count }).map((each) => Float32Array.from(each));
const lattice = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 3 }))
  .chain(([T, L]) =>
    fc.record({
      T: fc.constant(T),
      L: fc.constant(L),
      emissions: scores(T * L),
      crf: fc.record({ transitions: scores(L * L), start: scores(L), end: scores(L) }),
    }),
  );

describe.each(['native', 'cpu'] as const)('posteriors of a CRF on %s', (backend) => {
  beforeAll(() => useBackend(backend));
  afterAll(() => useBackend());

  const posteriors = (values: Float32Array, L: number, crf: CrfValues) =>
    scoped(() => {
      const T = values.length / L;
      return labelPosteriors(tf.tensor3d(values, [1, T, L]), Int32Array.of(T), crf);
    });

  test('are those of all label sequences, weighed one by one', () => {
    fc.assert(
      fc.property(lattice, ({ T, L, emissions, crf }) => {
        const expected = enumerated(T, L, emissions, crf);
        const found = posteriors(emissions, L, crf);
        for (const [i, value] of found.entries())
          expect(value).toBeCloseTo(expected[i] as number, 6);
      }),
      { numRuns: 60 },
    );
  });

  test.each([1, 20])('are exact for scores that no exponent could hold, times %d', (times) => {
    const crf = {
      transitions: new Float32Array(4),
      start: new Float32Array(2),
      end: new Float32Array(2),
    };
    const scores = Float32Array.of(3000, -3000, -3000, 3000).map((score) => score * times);
    expect([...posteriors(scores, 2, crf)]).toEqual([1, 0, 0, 1]);
    const steep = { ...crf, transitions: Float32Array.of(0, -3000, -3000, 0) };
    const torn = Float32Array.of(2000, 0, 0, 1000);
    expect([...posteriors(torn, 2, steep)]).toEqual([1, 0, 1, 0]);
  });

  test('keep what is far less likely than 1 can tell', () => {
    const none = { transitions: new Float32Array(4), start: new Float32Array(2) };
    const [, seldom] = posteriors(Float32Array.of(30, 0), 2, { ...none, end: new Float32Array(2) });
    expect((seldom as number) / Math.exp(-30)).toBeCloseTo(1, 5);
  });

  test('of rows in a batch are their own, and 0 past a length', () => {
    const [T, L] = [3, 2];
    const numbers = (count: number) =>
      Float32Array.from({ length: count }, (_, i) => Math.sin(7 * i));
    const crf = { transitions: numbers(4), start: numbers(2), end: numbers(2) };
    const values = numbers(3 * T * L);
    const lengths = Int32Array.of(3, 0, 2);
    const together = scoped(() => labelPosteriors(tf.tensor3d(values, [3, T, L]), lengths, crf));
    expect([...together.subarray(0, 6)]).toEqual([...posteriors(values.subarray(0, 6), L, crf)]);
    expect([...together.subarray(6, 12)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect([...together.subarray(12, 16)]).toEqual([
      ...posteriors(values.subarray(12, 16), L, crf),
    ]);
    expect([...together.subarray(16)]).toEqual([0, 0]);
  });

  test('are refused for numbers that are none', () => {
    scoped(() => {
      const zeros = { transitions: tf.zeros([2, 2]), start: tf.zeros([2]), end: tf.zeros([2]) };
      const crf = zeros as Parameters<typeof crfPosteriors>[2];
      expect(() => crfPosteriors(tf.tensor3d([[[0, Number.NaN]]]), Int32Array.of(1), crf)).toThrow(
        'crfPosteriors: emissions [1, 1, 2] holds NaN at 1',
      );
    });
  });
});

function enumerated(T: number, L: number, emissions: Float32Array, crf: CrfValues): number[] {
  const sums = new Array<number>(T * L).fill(0);
  let total = 0;
  for (let code = 0; code < L ** T; code++) {
    const labels = Array.from({ length: T }, (_, t) => Math.floor(code / L ** t) % L);
    let logWeight =
      (crf.start[labels[0] as number] as number) + (crf.end[labels[T - 1] as number] as number);
    labels.forEach((label, t) => {
      logWeight += emissions[t * L + label] as number;
      if (t > 0) logWeight += crf.transitions[(labels[t - 1] as number) * L + label] as number;
    });
    const weight = Math.exp(logWeight);
    total += weight;
    labels.forEach((label, t) => {
      sums[t * L + label] = (sums[t * L + label] as number) + weight;
    });
  }
  return sums.map((sum) => sum / total);
}
