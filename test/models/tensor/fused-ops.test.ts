import { beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { sigmoidCrossEntropy, softmaxCrossEntropy } from '../../../models/tensor/cross-entropy.js';
import { dense } from '../../../models/tensor/dense.js';
import { dropout, recurrentMask } from '../../../models/tensor/dropout.js';
import { addGaussianNoise } from '../../../models/tensor/gaussian-noise.js';
import { l2Normalise } from '../../../models/tensor/l2-normalise.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { expectClose, expectGradients } from './gradient-check.js';
import { backends, useInstructionSet } from './native-session.js';

describe.each(backends())('fused ops on %s %s', (backend, isa) => {
  useInstructionSet(isa);
  beforeAll(async () => {
    await useBackend(backend);
  });

  test('dense multiplies the last axis, and its gradient is right', () => {
    tf.tidy(() => {
      const x = normals([2, 3, 4], 1);
      const kernel = normals([4, 5], 2) as tf.Tensor2D;
      const bias = normals([5], 3) as tf.Tensor1D;
      const sums = x.reshape([6, 4]).matMul(kernel).add(bias);
      for (const [activation, op] of [
        ['tanh', tf.tanh],
        ['relu', tf.relu],
        ['sigmoid', tf.sigmoid],
      ] as const) {
        const y = dense(x, kernel, bias, activation);
        expect(y.shape).toEqual([2, 3, 5]);
        expectClose(y.dataSync(), op(sums).dataSync(), 1e-5);
      }
      for (const activation of ['tanh', 'sigmoid', undefined] as const) {
        expectGradients(
          (a, b, c) =>
            dense(a as tf.Tensor, b as tf.Tensor2D, c as tf.Tensor1D, activation)
              .square()
              .sum(),
          [x, kernel, bias],
        );
      }
      expect(() => dense(x, kernel, tf.zeros([4]) as tf.Tensor1D)).toThrow(
        'dense: got x [2, 3, 4], kernel [4, 5], bias [4]',
      );
    });
  });

  test('dropout drops at its rate, keeps the mean, and uses one mask forward and backward', () => {
    tf.tidy(() => {
      const random = new Random(1);
      const x = tf.ones([200, 50]);
      const y = dropout(x, 0.25, random).dataSync();
      const zeros = y.filter((value) => value === 0).length / y.length;
      expect(Math.abs(zeros - 0.25)).toBeLessThan(0.02);
      expect(new Set(y)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
      const gradient = tf
        .grad((input) => dropout(input, 0.25, new Random(1)))(x)
        .dataSync();
      expect(gradient).toEqual(y);
      expect(dropout(x, 0, random).dataSync()).toEqual(x.dataSync());
      expect(() => dropout(x, 1, random)).toThrow('rate is 1');
      const mask = recurrentMask([3, 7], 0.5, random);
      expect(mask.shape).toEqual([3, 7]);
      expect(mask.dataSync().every((value) => value === 0 || value === 2)).toBe(true);
    });
  });

  test('Gaussian noise draws one sample for the forward and the backward pass', () => {
    tf.tidy(() => {
      const x = normals([3, 5, 4], 1);
      const stddev = tf.tensor1d([0.5, 1, 2, 0]);
      const weights = normals([3, 5, 4], 2);
      const y = addGaussianNoise(x, stddev, new Random(9));
      const noise = y.sub(x);
      expectGradients(
        (a, b) =>
          addGaussianNoise(a as tf.Tensor, b as tf.Tensor1D, new Random(9))
            .mul(weights)
            .sum(),
        [x, stddev],
      );
      const sample = noise.div(stddev.maximum(1e-9)).reshape([15, 4]).slice([0, 0], [15, 3]);
      const again = tf.tensor2d(new Random(9).normals(60), [15, 4]).slice([0, 0], [15, 3]);
      expectClose(sample.dataSync(), again.dataSync(), 1e-4);
    });
  });

  test('Gaussian noise has the trained deviation a column, and other seeds draw other samples', () => {
    tf.tidy(() => {
      const stddev = tf.tensor1d([0.1, 1, 3]);
      const draw = (seed: number) =>
        addGaussianNoise(tf.zeros([20_000, 3]), stddev, new Random(seed));
      const [one, other] = [draw(1), draw(2)];
      const { mean, variance } = tf.moments(one, 0);
      expectClose(mean.div(stddev).dataSync(), [0, 0, 0], 0.03);
      expectClose(variance.sqrt().div(stddev).dataSync(), [1, 1, 1], 0.02);
      const correlation = one.mul(other).mean(0).div(stddev.square());
      expectClose(correlation.dataSync(), [0, 0, 0], 0.03);
    });
  });

  test('Gaussian noise refuses shapes that do not fit and a deviation that is not finite', () => {
    tf.tidy(() => {
      const random = new Random(1);
      expect(() => addGaussianNoise(tf.zeros([2, 3]), tf.ones([2]) as tf.Tensor1D, random)).toThrow(
        'addGaussianNoise: got x [2, 3], stddev [2]',
      );
      expect(() => addGaussianNoise(tf.zeros([2, 1]), tf.tensor1d([Number.NaN]), random)).toThrow(
        /^addGaussianNoise: the result \[2, 1\] .*, as stddev does/,
      );
    });
  });

  test('l2Normalise gives unit vectors, leaves zero at zero, and its gradient is right', () => {
    tf.tidy(() => {
      const x = normals([3, 2, 5], 4);
      const norms = l2Normalise(x).norm('euclidean', -1).dataSync();
      expectClose(norms, new Float32Array(6).fill(1), 1e-5);
      expect([...l2Normalise(tf.zeros([1, 3])).dataSync()]).toEqual([0, 0, 0]);
      const weights = normals([3, 2, 5], 5);
      expectGradients(
        (a) =>
          l2Normalise(a as tf.Tensor)
            .mul(weights)
            .sum(),
        [x],
      );
    });
  });

  test('sigmoid cross-entropy is stable and right at its kinks', () => {
    tf.tidy(() => {
      const logits = tf.tensor1d([-200, -1, 0, 0, 2, 200]);
      const targets = tf.tensor1d([0, 1, 0, 1, 1, 0]);
      const expected = [0, Math.log1p(Math.E), Math.LN2, Math.LN2, Math.log1p(Math.exp(-2)), 200];
      expectClose(sigmoidCrossEntropy(logits, targets).dataSync(), expected, 1e-4);
      expectGradients((a) => sigmoidCrossEntropy(a as tf.Tensor, targets).sum(), [logits]);
    });
  });

  test('softmax cross-entropy is the negative log of the true probability', () => {
    tf.tidy(() => {
      const logits = normals([4, 3], 6) as tf.Tensor2D;
      const labels = Int32Array.of(0, 2, 1, 1);
      const expected = logits.softmax().log().neg().arraySync();
      const losses = softmaxCrossEntropy(logits, labels).dataSync();
      expectClose(
        losses,
        [...labels].map((label, i) => expected[i]?.[label] as number),
        1e-5,
      );
      const weights = tf.tensor1d([1, 2, 3, -1]);
      expectGradients(
        (a) =>
          softmaxCrossEntropy(a as tf.Tensor2D, labels)
            .mul(weights)
            .sum(),
        [logits],
      );
      expect(() => softmaxCrossEntropy(logits, Int32Array.of(0, 0, 0, 3))).toThrow('label 3 at 3');
    });
  });

  test('softmax cross-entropy takes the gradient at the labels it was called with', () => {
    tf.tidy(() => {
      const logits = normals([3, 4], 7);
      const gradient = (spoil: boolean) => {
        const labels = Int32Array.of(0, 1, 3);
        return tf
          .grad((a) => {
            const losses = softmaxCrossEntropy(a as tf.Tensor2D, labels);
            if (spoil) labels.fill(2);
            return losses.sum();
          })(logits)
          .dataSync();
      };
      expect(gradient(true)).toEqual(gradient(false));
    });
  });

  test('softmax cross-entropy rules a class out where its logit is -infinity', () => {
    tf.tidy(() => {
      const logits = tf.tensor2d([0, 0, Number.NEGATIVE_INFINITY], [1, 3]);
      const loss = (a: tf.Tensor) => softmaxCrossEntropy(a as tf.Tensor2D, Int32Array.of(1)).sum();
      expectClose(loss(logits).dataSync(), [Math.LN2], 1e-6);
      expectClose(tf.grad(loss)(logits).dataSync(), [0.5, -0.5, 0], 1e-6);
      expect(() => softmaxCrossEntropy(logits, Int32Array.of(2))).toThrow('as logits does');
    });
  });

  test('softmax cross-entropy is right for many classes and far apart logits', () => {
    tf.tidy(() => {
      for (const classes of [2, 5, 37, 131]) {
        const logits = normals([9, classes], 8).mul<tf.Tensor2D>(60);
        const labels = Int32Array.from({ length: 9 }, (_, i) => (i * 7) % classes);
        const [losses, gradient] = [
          softmaxCrossEntropy(logits, labels).dataSync(),
          tf
            .grad((a) => softmaxCrossEntropy(a as tf.Tensor2D, labels).sum())(logits)
            .dataSync(),
        ];
        const rows = logits.arraySync();
        for (const [i, label] of labels.entries()) {
          const row = rows[i] as number[];
          const most = Math.max(...row);
          const sum = row.reduce((total, x) => total + Math.exp(x - most), 0);
          const expected = row.map((x, j) => Math.exp(x - most) / sum - Number(j === label));
          const loss = most + Math.log(sum) - (row[label] as number);
          expectClose([losses[i] as number], [loss], 1e-6 * Math.max(1, Math.abs(most)));
          expectClose(gradient.subarray(i * classes, (i + 1) * classes), expected, 1e-5);
        }
      }
    });
  });

  test('a step of all of them leaves no tensor behind', () => {
    const variables = [tf.variable(normals([4, 5], 1)), tf.variable(tf.ones([5]))] as const;
    const step = () =>
      tf.tidy(() => {
        const random = new Random(1);
        const { value, grads } = tf.variableGrads(() => {
          const x = dropout(normals([2, 3, 4], 2), 0.5, random);
          const y = dense(x, variables[0] as tf.Tensor2D, variables[1] as unknown as tf.Tensor1D);
          const noisy = addGaussianNoise(
            l2Normalise(y),
            tf.softplus(variables[1]) as tf.Tensor1D,
            random,
          );
          return softmaxCrossEntropy(noisy.reshape([6, 5]), new Int32Array(6)).mean();
        });
        tf.dispose([value, grads]);
      });
    step();
    const before = tf.memory();
    step();
    expect(tf.memory().numTensors).toBe(before.numTensors);
    expect(tf.memory().numBytes).toBe(before.numBytes);
    tf.dispose([...variables]);
  });
});

function normals(shape: number[], seed: number): tf.Tensor {
  return tf.tensor(new Random(seed).normals(tf.util.sizeFromShape(shape)), shape);
}
