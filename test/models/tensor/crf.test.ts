import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
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

  test.each([
    ['once', [0, -750], [-100, 0]],
    ['step by step', [0, -150], [0, -150], [0, -150], [0, -150], [0, -150]],
  ])('keeps a label that falls far behind %s and is all that later steps allow', (_, ...steps) => {
    tf.tidy(() => {
      const rows = [...steps, ...Array.from({ length: 10 }, () => [-100, 0])] as number[][];
      const emissions = tf.tensor3d([rows]);
      const crf = {
        transitions: tf.tensor2d([0, -2000, -2000, 0], [2, 2]),
        start: tf.tensor1d([0, 0]),
        end: tf.tensor1d([0, 0]),
      };
      const lengths = Int32Array.of(rows.length);
      const loss = (label: number) => (e: tf.Tensor) => {
        const labels = new Int32Array(rows.length).fill(label);
        return crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf).sum() as tf.Scalar;
      };
      const [first, second] = [0, 1].map((label) =>
        rows.reduce((sum, row) => sum + (row[label] as number), 0),
      ) as [number, number];
      expect(second).toBeGreaterThan(first + 100);
      expect(loss(1)(emissions).dataSync()[0]).toBeCloseTo(0, 3);
      expect(loss(0)(emissions).dataSync()[0]).toBeCloseTo(second - first, 1);
      const gradient = rows.flatMap(() => [-1, 1]);
      expectClose(tf.grad(loss(0))(emissions).dataSync(), gradient, 1e-5);
    });
  });

  test('takes the gradient at the labels and lengths it was called with, whatever becomes of them', () => {
    tf.tidy(() => {
      const gradient = (spoil: boolean) => {
        const lengths = Int32Array.of(4, 2);
        const { emissions, crf, labels } = example(5, lengths, 4, 3);
        return tf
          .grad((e) => {
            const losses = crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf);
            if (spoil) [labels, lengths].map((array) => array.fill(1));
            return losses.sum();
          })(emissions)
          .dataSync();
      };
      expect(gradient(true)).toEqual(gradient(false));
    });
  });

  test('rules a label out where its emission is -infinity, with a gradient of zero', () => {
    tf.tidy(() => {
      const lengths = Int32Array.of(3);
      const { crf } = example(6, lengths, 3, 3);
      const labels = Int32Array.of(0, 1, 2);
      const loss = (e: tf.Tensor) =>
        crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf).sum() as tf.Scalar;
      const emissions = (low: number) => tf.tensor3d([1, 2, low, 0, 1, 2, low, 1, 0], [1, 3, 3]);
      const [out, low] = [Number.NEGATIVE_INFINITY, -1e4].map((score) => emissions(score));
      expectClose(loss(out as tf.Tensor).dataSync(), loss(low as tf.Tensor).dataSync(), 1e-5);
      const gradient = tf
        .grad(loss)(out as tf.Tensor)
        .dataSync();
      expect([gradient[2], gradient[6]]).toEqual([0, 0]);
      const ruledOut = Int32Array.of(2, 1, 2);
      expect(() => crfNegativeLogLikelihood(out as tf.Tensor3D, ruledOut, lengths, crf)).toThrow(
        'as emissions does',
      );
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

describe('the native CRF functions', () => {
  const crf = (lengths: number[], labels = 2) => ({
    emissions: new Float32Array(2 * 3 * 2),
    transitions: new Float32Array(4),
    start: new Float32Array(2),
    end: new Float32Array(2),
    lengths: Int32Array.from(lengths),
    steps: 3,
    labels,
  });
  const loss = (lengths: number[], truth: Int32Array) =>
    nativeFunction('crfLoss')({ ...crf(lengths), truth, losses: new Float32Array(2) });
  const decode = (lengths: number[], labels?: number) =>
    nativeFunction('crfDecode')({ ...crf(lengths, labels), paths: new Int32Array(6) });

  test('refuse lengths and labels outside their ranges, and a scheme without labels', () => {
    const truth = new Int32Array(6);
    for (const run of [(lengths: number[]) => loss(lengths, truth), decode]) {
      expect(() => run([3, 4])).toThrow('lengths must be from 0 to 3, found 4 at 1');
      expect(() => run([-1, 3])).toThrow('lengths must be from 0 to 3, found -1 at 0');
    }
    expect(() => loss([3, 3], truth.with(4, 2))).toThrow(
      'truth must be from 0 to 1, found 2 at [1, 1]',
    );
    expect(() => loss([3, 3], truth.with(0, -1))).toThrow('found -1 at [0, 0]');
    expect(() => decode([3, 3], 0)).toThrow('labels must be at least 1, found 0');
    loss([3, 1], truth.with(5, 9));
    decode([3, 1]);
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
