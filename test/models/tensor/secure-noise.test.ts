import { beforeAll, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { boxMuller } from '../../../models/tensor/reference/box-muller.js';
import { addSecureNoise } from '../../../models/tensor/secure-noise.js';
import * as tf from '../../../models/tensor/tf.js';

describe.each(['native', 'cpu'] as const)('addSecureNoise on %s', (backend) => {
  beforeAll(() => useBackend(backend));

  test('adds noise of each column’s standard deviation', () => {
    const [rows, stddev] = [33_333, [0.1, 1, 10]];
    const x = tf.ones<tf.Rank.R2>([rows, 3]);
    const noise = addSecureNoise(x, tf.tensor1d(stddev)).sub(x).dataSync<'float32'>();
    for (const [column, expected] of stddev.entries()) {
      const own = noise.filter((_, i) => i % 3 === column).map((value) => value / expected);
      const mean = own.reduce((sum, value) => sum + value, 0) / rows;
      const variance = own.reduce((sum, value) => sum + value ** 2, 0) / rows;
      expect(Math.abs(mean)).toBeLessThan(0.04);
      expect(Math.abs(variance - 1)).toBeLessThan(0.06);
    }
  });

  test('takes a standard deviation for each element, and never repeats', () => {
    const x = tf.zeros<tf.Rank.R2>([3, 5]);
    const stddev = tf.tensor2d(
      Float32Array.from({ length: 15 }, (_, i) => i % 2),
      [3, 5],
    );
    const [once, again] = [addSecureNoise(x, stddev), addSecureNoise(x, stddev)].map((noisy) =>
      noisy.dataSync<'float32'>(),
    );
    expect(once?.map(Math.abs).map(Math.sign)).toEqual(stddev.dataSync());
    expect(once).not.toEqual(again);
  });

  test('refuses a standard deviation of another width', () => {
    expect(() => addSecureNoise(tf.zeros([3, 5]), tf.ones([4]))).toThrow('addSecureNoise');
  });
});

test('the native sum is that of the normals of Box and Muller, wherever a piece begins', () => {
  const stddev = Float32Array.of(1, 2, 3);
  const x = Float32Array.from({ length: 1399 }, (_, i) => i / 100);
  const sum = new Float32Array(x.length);
  const pieces = [
    [0, 700],
    [700, 1399],
  ] as const;
  const normals = pieces.flatMap(([from, to]) => {
    const words = Uint32Array.from({ length: 3 * 350 }, (_, i) =>
      Math.imul(from + i + 1, 0x9e3779b1),
    );
    nativeFunction('addBoxMuller')({ words, x, stddev, result: sum, from, to });
    const drawn = new Float32Array(700);
    boxMuller(words, drawn);
    return Array.from(drawn);
  });
  for (const [i, value] of sum.entries())
    expect(value).toBeCloseTo(
      (x[i] as number) + (stddev[i % 3] as number) * (normals[i] as number),
      4,
    );
});

test.each([0, 511, 512, 1398])(
  'the native sum is told from one that holds an infinity at %s',
  (place) => {
    const run = (x: Float32Array) => {
      const words = Uint32Array.from({ length: 3 * 700 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
      const stddev = Float32Array.of(1);
      const record = { words, x, stddev, result: new Float32Array(x.length), from: 0, to: 1399 };
      return nativeFunction('addBoxMuller')(record);
    };
    const x = new Float32Array(1399);
    expect(run(x)).toBe(true);
    x[place] = Number.NEGATIVE_INFINITY;
    expect(run(x)).toBe(false);
  },
);
