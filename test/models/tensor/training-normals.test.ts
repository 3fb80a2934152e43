import { beforeAll, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import type { InstructionSet } from '../../../models/tensor/native-functions.js';
import { noiseWords, STRETCH } from '../../../models/tensor/noise-words.js';
import { NORMAL_TABLE } from '../../../models/tensor/normal-table.js';
import type { StreamPosition } from '../../../models/tensor/philox.js';
import { normalsAt } from '../../../models/tensor/reference/normals.js';
import { instructionSets } from './native-session.js';

const COUNT = 1 << 18;
const POSITION: StreamPosition = { key: [20, 26], counter: 4096 };

/** The native kernel's normals: noise of deviation 1 on zeros. */
function drawn(count: number, position: StreamPosition, isa: InstructionSet): Float32Array {
  const before = nativeFunction('useIsa')(isa);
  const normals = new Float32Array(count);
  nativeFunction('gaussianNoise')({
    x: new Float32Array(count),
    stddev: Float32Array.of(1),
    result: normals,
    table: NORMAL_TABLE,
    position,
  });
  nativeFunction('useIsa')(before);
  return normals;
}

describe.each(instructionSets())('the normals of the training stream with %s', (isa) => {
  let sample: Float32Array;
  beforeAll(() => {
    sample = drawn(COUNT, POSITION, isa);
  });

  test('are those of double precision to half a millionth, far out as well', () => {
    const exact = normalsAt(POSITION, COUNT);
    let worst = 0;
    for (let i = 0; i < COUNT; i++) worst = Math.max(worst, Math.abs(at(sample, i) - at(exact, i)));
    expect(worst).toBeLessThan(5e-7);
    const rare = noiseWords(POSITION, COUNT).filter((word) => (word & 0x7fffffff) < 2 ** 15);
    expect(rare.length).toBeGreaterThan(0);
  });

  test('have the moments of the standard normal, to five of their deviations', () => {
    const error = (power: number, moment: number, variance: number) => {
      let sum = 0;
      for (const x of sample) sum += x ** power;
      return Math.abs(sum / COUNT - moment) / Math.sqrt(variance / COUNT);
    };
    expect(error(1, 0, 1)).toBeLessThan(5);
    expect(error(2, 1, 2)).toBeLessThan(5);
    expect(error(3, 0, 15)).toBeLessThan(5);
    expect(error(4, 3, 96)).toBeLessThan(5);
    expect(error(6, 15, 10_170)).toBeLessThan(5);
  });

  test('have the distribution of Kolmogorov and Smirnov, whose statistic is under its 99.9 % point', () => {
    const sorted = Float32Array.from(sample).sort();
    let distance = 0;
    for (let i = 0; i < COUNT; i++) {
      const below = 1 - upperTail(at(sorted, i));
      distance = Math.max(distance, below - i / COUNT, (i + 1) / COUNT - below);
    }
    expect(distance * Math.sqrt(COUNT)).toBeLessThan(1.95);
  });

  test('have the tails of the standard normal on both sides', () => {
    for (const limit of [1, 2, 3, 4]) {
      const expected = COUNT * upperTail(limit);
      for (const sign of [1, -1]) {
        const found = sample.reduce((count, x) => count + (sign * x > limit ? 1 : 0), 0);
        expect(Math.abs(found - expected) / Math.sqrt(expected)).toBeLessThan(5);
      }
    }
  });

  test('are uncorrelated with their neighbours and with other streams, and so are their squares', () => {
    const others = [
      ...[1, 2, 3, 4, 7, 16, 64, STRETCH].map((lag) => sample.subarray(lag)),
      drawn(COUNT, { ...POSITION, key: [21, 26] }, isa),
      drawn(COUNT, { ...POSITION, key: [20, 27] }, isa),
    ];
    for (const other of others) {
      const pairs = other.length;
      let [plain, squared] = [0, 0];
      for (let i = 0; i < pairs; i++) {
        const [x, y] = [at(sample, i), at(other, i)];
        plain += x * y;
        squared += (x * x - 1) * (y * y - 1);
      }
      expect(Math.abs(plain) / Math.sqrt(pairs)).toBeLessThan(5);
      expect(Math.abs(squared) / (2 * Math.sqrt(pairs))).toBeLessThan(5);
    }
  });

  test('are the same bits however many are drawn', () => {
    for (const count of [1, 15, 16, 63, 100, STRETCH - 1, STRETCH + 1]) {
      expect(drawn(count, POSITION, isa)).toEqual(sample.slice(0, count));
    }
  });
});

function at(values: Float32Array, i: number): number {
  return values[i] as number;
}

/** P(n > x): for |x| > 3 the continued fraction of Laplace, else the series of Marsaglia (2004). */
function upperTail(x: number): number {
  if (x < -3) return 1 - upperTail(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 3) {
    let fraction = x;
    for (let k = 40; k > 0; k--) fraction = x + k / fraction;
    return density / fraction;
  }
  let [sum, term] = [x, x];
  for (let k = 3; Math.abs(term) > 1e-17; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 - density * sum;
}
