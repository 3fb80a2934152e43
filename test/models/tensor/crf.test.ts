import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useBackend } from '../../../models/tensor/backend.js';
import {
  type CrfWeights,
  crfDecode,
  crfNegativeLogLikelihood,
} from '../../../models/tensor/crf.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { expectClose, expectGradients } from './gradient-check.js';

describe.each(['cpu', 'native'] as const)('the CRF on %s', (backend) => {
  beforeAll(async () => {
    await useBackend(backend);
  });

  test('agrees with the enumeration of every path', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (seed, labelCount, steps) => {
          tf.tidy(() => {
            const lengths = Int32Array.of(steps, 1, Math.ceil(steps / 2));
            const { emissions, crf, labels } = example(seed, lengths, steps, labelCount);
            const losses = crfNegativeLogLikelihood(emissions, labels, lengths, crf).dataSync();
            const decoded = crfDecode(emissions, lengths, crf);
            lengths.forEach((length, row) => {
              const paths = enumerate(labelCount, length);
              const scores = paths.map((path) => score(path, row, emissions, crf));
              const logZ = Math.log(scores.reduce((sum, s) => sum + Math.exp(s), 0));
              const truth = [...labels.subarray(row * steps, row * steps + length)];
              expect(losses[row]).toBeCloseTo(logZ - score(truth, row, emissions, crf), 3);
              const best = paths[scores.indexOf(Math.max(...scores))] as number[];
              const padding = new Array(steps - length).fill(0);
              expect([...decoded.subarray(row * steps, (row + 1) * steps)]).toEqual([
                ...best,
                ...padding,
              ]);
            });
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  test('has the gradient that finite differences give', () => {
    tf.tidy(() => {
      const lengths = Int32Array.of(4, 1, 0, 3);
      const { emissions, crf, labels } = example(7, lengths, 4, 3);
      const weights = tf.tensor1d([1, -0.5, 3, 2]);
      expectGradients(
        (e, transitions, start, end) =>
          crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, {
            transitions,
            start,
            end,
          } as CrfWeights)
            .mul(weights)
            .sum(),
        [emissions, crf.transitions, crf.start, crf.end],
      );
    });
  });

  test('neither reads nor touches what lies past a length', () => {
    tf.tidy(() => {
      const lengths = Int32Array.of(2);
      const { emissions, crf, labels } = example(3, lengths, 4, 3);
      const values = Float32Array.from(emissions.dataSync());
      values.fill(1e30, 2 * 3);
      const padded = tf.tensor3d(values, [1, 4, 3]);
      const loss = (e: tf.Tensor) =>
        crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf).sum() as tf.Scalar;
      expect(loss(padded).dataSync()).toEqual(loss(emissions).dataSync());
      const gradient = tf.grad(loss)(padded).dataSync();
      expect([...gradient.subarray(6)]).toEqual([0, 0, 0, 0, 0, 0]);
    });
  });

  test('stays finite where transitions are forbidden by very low scores', () => {
    tf.tidy(() => {
      const emissions = tf.tensor3d([900, 0, 0, 0, 0, 900], [1, 3, 2]);
      const crf = {
        transitions: tf.tensor2d([0, -10000, -10000, 0], [2, 2]),
        start: tf.tensor1d([0, -10000]),
        end: tf.tensor1d([-10000, 0]),
      };
      const lengths = Int32Array.of(3);
      const labels = Int32Array.of(0, 0, 1);
      const loss = (e: tf.Tensor) =>
        crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf).sum() as tf.Scalar;
      expect(loss(emissions).dataSync()[0]).toBeCloseTo(Math.log(2), 2);
      expectClose(tf.grad(loss)(emissions).dataSync(), [0, 0, -0.5, 0.5, 0, 0], 1e-3);
    });
  });

  test('names the op and the shapes when they do not fit', () => {
    tf.tidy(() => {
      const lengths = Int32Array.of(2);
      const { emissions, crf, labels } = example(1, lengths, 2, 3);
      const wrong = { ...crf, end: tf.zeros([4]) as tf.Tensor1D };
      expect(() => crfNegativeLogLikelihood(emissions, labels, lengths, wrong)).toThrow(
        /crfNegativeLogLikelihood.*emissions \[1, 2, 3\].*end \[4\]/,
      );
      expect(() => crfDecode(emissions, Int32Array.of(3), crf)).toThrow('crfDecode');
      expect(() => crfNegativeLogLikelihood(emissions, Int32Array.of(0, 3), lengths, crf)).toThrow(
        'label 3',
      );
      const nan = emissions.mul(Number.NaN) as tf.Tensor3D;
      expect(() => crfNegativeLogLikelihood(nan, labels, lengths, crf)).toThrow(
        'expected finite numbers',
      );
    });
  });
});

function example(seed: number, lengths: Int32Array, steps: number, labelCount: number) {
  const random = new Random(seed);
  const draw = (...shape: number[]) =>
    tf.tensor(random.normals(tf.util.sizeFromShape(shape)), shape);
  const labels = Int32Array.from({ length: lengths.length * steps }, () =>
    random.integer(labelCount),
  );
  return {
    labels,
    emissions: draw(lengths.length, steps, labelCount) as tf.Tensor3D,
    crf: {
      transitions: draw(labelCount, labelCount) as tf.Tensor2D,
      start: draw(labelCount) as tf.Tensor1D,
      end: draw(labelCount) as tf.Tensor1D,
    },
  };
}

function enumerate(labelCount: number, length: number): number[][] {
  if (length === 0) return [[]];
  const shorter = enumerate(labelCount, length - 1);
  return Array.from({ length: labelCount }, (_, label) =>
    shorter.map((path) => [label, ...path]),
  ).flat();
}

function score(path: number[], row: number, emissions: tf.Tensor3D, crf: CrfWeights): number {
  const e = emissions.arraySync()[row] as number[][];
  const transitions = crf.transitions.arraySync();
  let sum = 0;
  path.forEach((label, t) => {
    sum += e[t]?.[label] as number;
    if (t > 0) sum += transitions[path[t - 1] as number]?.[label] as number;
  });
  sum += crf.start.arraySync()[path[0] as number] as number;
  return sum + (crf.end.arraySync()[path[path.length - 1] as number] as number);
}
