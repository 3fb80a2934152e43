import { beforeAll, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { attention } from '../../../models/tensor/attention.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { characterMaximum } from '../../../models/tensor/character-maximum.js';
import {
  type CrfWeights,
  crfDecode,
  crfNegativeLogLikelihood,
} from '../../../models/tensor/crf.js';
import { dropout } from '../../../models/tensor/dropout.js';
import { addGaussianNoise } from '../../../models/tensor/gaussian-noise.js';
import { l2Normalise } from '../../../models/tensor/l2-normalise.js';
import { layerNorm } from '../../../models/tensor/layer-norm.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { difference, instructionSets, on } from './native-session.js';

const LENGTHS = Int32Array.of(1, 7, 0, 33, 20);
const STEPS = 33;
const LABELS = 21;

/** Values and gradients of each fused op, on sizes that no vector length divides. */
const OPS: Readonly<Record<string, () => tf.Tensor[]>> = {
  'Gaussian noise': () => {
    const x = normals([37, 129, 7], 1);
    const stddev = tf.softplus(normals([7], 2)) as tf.Tensor1D;
    const random = () => new Random(3).fork('noise');
    const noisy = (a: tf.Tensor, b: tf.Tensor) =>
      addGaussianNoise(a, b as tf.Tensor1D, random())
        .square()
        .sum() as tf.Scalar;
    const late = Random.restore({ key: [5, 6], counter: 4 * (2 ** 32 - 3) });
    return [
      addGaussianNoise(x, stddev, random()),
      ...tf
        .grads(noisy)([x, stddev])
        .map((gradient) => gradient.div(1000)),
      addGaussianNoise(normals([60], 4), tf.ones([60]) as tf.Tensor1D, late),
    ];
  },
  dropout: () => {
    const x = normals([11, 1013], 5);
    return [dropout(x, 0.3, new Random(6)), tf.grad((a) => dropout(a, 0.3, new Random(6)))(x)];
  },
  'L2 normalisation': () => {
    const x = tf.concat([normals([9, 53], 7), tf.zeros([1, 53])], 0);
    const weights = normals([10, 53], 8);
    const gradient = tf.grad((a) => l2Normalise(a).mul(weights).sum())(x);
    return [l2Normalise(x), gradient.slice([0, 0], [9, 53])];
  },
  'layer normalisation': () => {
    const x = normals([3, 27, 53], 17).mul(4).add(2);
    const [gain, bias] = [normals([53], 18), normals([53], 19)] as [tf.Tensor1D, tf.Tensor1D];
    const weights = normals([3, 27, 53], 20);
    const gradients = tf.grads((a, b, c) =>
      layerNorm(a as tf.Tensor, b as tf.Tensor1D, c as tf.Tensor1D)
        .mul(weights)
        .sum(),
    )([x, gain, bias]);
    return [layerNorm(x, gain, bias), ...gradients.map((gradient) => gradient.div(10))];
  },
  attention: () => {
    const lengths = Int32Array.of(1, 7, 0, 53, 49);
    const shape = [lengths.length, 53, 3 * 9];
    const inputs = [21, 22, 23].map((seed) => normals(shape, seed));
    const distances = normals([3, 2 * 9 + 1], 24);
    const weights = normals(shape, 25);
    const of = (q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, d: tf.Tensor) => {
      const [queries, keys, values] = [q, k, v] as [tf.Tensor3D, tf.Tensor3D, tf.Tensor3D];
      return attention({ queries, keys, values, distances: d as tf.Tensor2D }, lengths);
    };
    const loss = (...given: tf.Tensor[]) =>
      of(...(given as Parameters<typeof of>))
        .mul(weights)
        .sum() as tf.Scalar;
    const [q, k, v] = inputs as [tf.Tensor, tf.Tensor, tf.Tensor];
    const gradients = tf.grads(loss)([...inputs, distances]);
    return [of(q, k, v, distances), ...gradients.map((gradient) => gradient.div(10))];
  },
  'characters of words': () => {
    const random = new Random(14);
    const steps = 11;
    const codes = Int32Array.from({ length: 700 * steps }, (_, i) =>
      i % steps < (i / steps) % (steps + 1) ? 1 + random.integer(40) : 0,
    );
    const words = { codes, steps, width: 3 };
    const weights = normals([700, 53], 15);
    const tables = normals([41, 3 * 53], 16);
    const loss = (table: tf.Tensor) =>
      characterMaximum(table as tf.Tensor2D, words)
        .mul(weights)
        .sum();
    return [characterMaximum(tables as tf.Tensor2D, words), tf.grad(loss)(tables).div(10)];
  },
  CRF: () => {
    const random = new Random(9);
    const labels = Int32Array.from({ length: LENGTHS.length * STEPS }, () =>
      random.integer(LABELS),
    );
    const emissions = normals([LENGTHS.length, STEPS, LABELS], 10).mul(3) as tf.Tensor3D;
    const weights = [normals([LABELS, LABELS], 11), normals([LABELS], 12), normals([LABELS], 13)];
    const loss = (e: tf.Tensor, transitions: tf.Tensor, start: tf.Tensor, end: tf.Tensor) =>
      crfNegativeLogLikelihood(e as tf.Tensor3D, labels, LENGTHS, {
        transitions,
        start,
        end,
      } as CrfWeights);
    const [transitions, start, end] = weights as [tf.Tensor2D, tf.Tensor1D, tf.Tensor1D];
    const path = crfDecode(emissions, LENGTHS, { transitions, start, end });
    return [
      loss(emissions, transitions, start, end),
      ...tf.grads((...inputs) => {
        const [e, t, s, f] = inputs as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
        return loss(e, t, s, f).sum() as tf.Scalar;
      })([emissions, ...weights]),
      tf.tensor1d(path).cast('float32'),
    ];
  },
};

describe.each(instructionSets())('fused kernels with %s', (isa) => {
  test.each(Object.keys(OPS))('%s agrees with its reference', async (name) => {
    const compute = OPS[name] as () => tf.Tensor[];
    const expected = await on('cpu', compute);
    const found = await on('native', compute, isa);
    expect(found.length).toBe(expected.length);
    found.forEach((values, i) => {
      expect(difference(values, expected[i] as Float32Array)).toBeLessThan(2e-5);
    });
  });
});

describe('fused kernels', () => {
  beforeAll(async () => {
    await useBackend('native');
  });

  test.each(Object.keys(OPS))('%s gives the same bits with any number of threads', (name) => {
    const before = nativeFunction('threadCount')();
    const bits = (threads: number) => {
      nativeFunction('setThreadCount')(threads);
      return tf.tidy(() =>
        (OPS[name] as () => tf.Tensor[])().map((y) =>
          Buffer.from(Float32Array.from(y.dataSync()).buffer).toString('base64'),
        ),
      );
    };
    const [one, three] = [bits(1), bits(3)];
    nativeFunction('setThreadCount')(before);
    expect(three).toEqual(one);
  });
});

function normals(shape: number[], seed: number): tf.Tensor {
  return tf.tensor(new Random(seed).normals(tf.util.sizeFromShape(shape)), shape);
}
