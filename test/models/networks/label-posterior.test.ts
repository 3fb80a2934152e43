import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CrfValues, labelPosterior } from '../../../models/networks/label-posterior.js';

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

test('posteriors are those of all label sequences, weighed one by one', () => {
  fc.assert(
    fc.property(lattice, ({ T, L, emissions, crf }) => {
      const expected = enumerated(T, L, emissions, crf);
      const found = labelPosterior(emissions, L, crf);
      for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] as number, 9);
    }),
    { numRuns: 60 },
  );
});

test('posteriors stay finite for scores that no exponent could hold', () => {
  const crf = {
    transitions: new Float32Array(4),
    start: new Float32Array(2),
    end: new Float32Array(2),
  };
  const found = labelPosterior(Float32Array.of(3000, -3000, -3000, 3000), 2, crf);
  expect([...found]).toEqual([1, 0, 0, 1]);
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
