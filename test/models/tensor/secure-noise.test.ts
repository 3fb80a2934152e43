import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import type { InstructionSet } from '../../../models/tensor/native-functions.js';
import { boxMuller } from '../../../models/tensor/reference/box-muller.js';
import { addSecureNoise } from '../../../models/tensor/secure-noise.js';
import * as tf from '../../../models/tensor/tf.js';
import { instructionSets } from './native-session.js';

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

/** Three pieces and a part of one, in rows that end elsewhere. */
const SIZE = 3333;
const KEY = Uint32Array.from({ length: 8 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));

function nativeNoise(x: Float32Array, stddev: Float32Array) {
  const result = new Float32Array(x.length);
  return { isFinite: nativeFunction('secureNoise')({ key: KEY, x, stddev, result }), result };
}

describe.each(instructionSets())('the native noise with %s', (isa) => {
  let before: InstructionSet;
  beforeAll(() => {
    before = nativeFunction('useIsa')(isa);
  });
  afterAll(() => {
    nativeFunction('useIsa')(before);
  });

  test('is of the normals of Box and Muller, from the words of ChaCha20 piece by piece', () => {
    const stddev = Float32Array.of(1, 2, 3, 4, 5, 6, 7);
    const x = Float32Array.from({ length: SIZE }, (_, i) => i / 100);
    const words = new Uint32Array(4 * 1536);
    nativeFunction('chachaWords')(KEY, 0, words);
    const normals = new Float32Array(4 * 1024);
    for (let piece = 0; piece < 4; piece++)
      boxMuller(
        words.subarray(1536 * piece, 1536 * (piece + 1)),
        normals.subarray(1024 * piece, 1024 * (piece + 1)),
      );
    const { result } = nativeNoise(x, stddev);
    for (const [i, value] of result.entries())
      expect(value).toBeCloseTo(
        (x[i] as number) + (stddev[i % 7] as number) * (normals[i] as number),
        4,
      );
  });

  test.each([0, 1023, 1024, SIZE - 1])('is told from what holds an infinity at %s', (place) => {
    const x = new Float32Array(SIZE);
    expect(nativeNoise(x, Float32Array.of(1)).isFinite).toBe(true);
    x[place] = Number.NEGATIVE_INFINITY;
    expect(nativeNoise(x, Float32Array.of(1)).isFinite).toBe(false);
  });

  test('is the same on one thread as on many', () => {
    const x = new Float32Array(100_000);
    const alone = nativeFunction('setThreadCount')(1);
    const one = nativeNoise(x, Float32Array.of(1)).result;
    nativeFunction('setThreadCount')(3);
    const many = nativeNoise(x, Float32Array.of(1)).result;
    nativeFunction('setThreadCount')(alone);
    expect(many).toEqual(one);
  });
});
