import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useBackend } from '../../../models/tensor/backend.js';
import { embedding, trainedRow, ZERO_ROW } from '../../../models/tensor/embedding.js';
import * as tf from '../../../models/tensor/tf.js';
import { instructionSets, on } from './native-session.js';

const FIXED = Float32Array.of(1, 2, 3, 4, 5, 6);
const TRAINED = [
  [10, 20],
  [30, 40],
];
const ROWS = Int32Array.of(2, ZERO_ROW, trainedRow(1), 0, trainedRow(1));

afterEach(() => useBackend('cpu'));

describe('the embedding', () => {
  test.each(['cpu', 'native'] as const)('takes rows of both tables on %s', async (backend) => {
    await useBackend(backend);
    expect(embedding(FIXED, tf.tensor2d(TRAINED), ROWS).arraySync()).toEqual([
      [5, 6],
      [0, 0],
      [30, 40],
      [1, 2],
      [30, 40],
    ]);
  });

  test.each(['cpu', 'native'] as const)(
    'numbers a further table on from the fixed one on %s',
    async (backend) => {
      await useBackend(backend);
      const further = Float32Array.of(7, 8, 9, 0);
      const rows = Int32Array.of(3, 2, trainedRow(0), 4, ZERO_ROW);
      expect(embedding(FIXED, tf.tensor2d(TRAINED), rows, further).arraySync()).toEqual([
        [7, 8],
        [5, 6],
        [10, 20],
        [9, 0],
        [0, 0],
      ]);
      expect(() => embedding(FIXED, tf.tensor2d(TRAINED), Int32Array.of(5), further)).toThrow(
        /embedding: got fixed \[6\], further \[4\], trained \[2, 2\].*expected/,
      );
      further[3] = Number.NaN;
      expect(() => embedding(FIXED, tf.tensor2d(TRAINED), rows, further)).toThrow(
        /fixed \[5, 2\] does in row 4/,
      );
    },
  );

  test.each(['cpu', 'native'] as const)(
    'gives each trained row the sum of its gradients on %s',
    async (backend) => {
      await useBackend(backend);
      const weighting = tf.tensor2d([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [5, 2]);
      const gradient = tf.grad((trained) =>
        embedding(FIXED, trained as tf.Tensor2D, ROWS)
          .mul(weighting)
          .sum(),
      )(tf.tensor2d(TRAINED));
      expect(gradient.arraySync()).toEqual([
        [0, 0],
        [14, 16],
      ]);
    },
  );

  test('gives the bits of the reference, for any rows', async () => {
    const cases = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      rows: fc.array(fc.integer({ min: -4, max: 6 }), { maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ width, rows }) => {
        const all = Float32Array.from({ length: 7 * width }, (_, i) => Math.sin(i));
        const [fixed, further] = [all.subarray(0, 5 * width), all.subarray(5 * width)];
        const compute = () => [
          embedding(fixed, tf.ones([3, width]), Int32Array.from(rows), further),
        ];
        const expected = await on('cpu', compute);
        for (const instructionSet of instructionSets()) {
          expect(await on('native', compute, instructionSet)).toEqual(expected);
        }
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  test.each(['cpu', 'native'] as const)(
    'sends the gradient to the rows it was called with on %s, whatever becomes of them',
    async (backend) => {
      await useBackend(backend);
      const rows = ROWS.slice();
      const gradient = tf.grad((trained) => {
        const looked = embedding(FIXED, trained as tf.Tensor2D, rows);
        rows.fill(trainedRow(0));
        return looked.sum();
      })(tf.tensor2d(TRAINED));
      expect(gradient.arraySync()).toEqual([
        [0, 0],
        [2, 2],
      ]);
    },
  );

  test('does not depend on the trained table where no row is of it', async () => {
    await useBackend('native');
    const trained = tf.variable(tf.tensor2d(TRAINED));
    const loss = () =>
      embedding(FIXED, trained as tf.Tensor2D, Int32Array.of(0, 1)).sum<tf.Scalar>();
    expect(() => tf.variableGrads(loss, [trained])).toThrow(/Cannot find a connection/);
    trained.dispose();
  });

  test('refuses rows that neither table has, naming the tables', () => {
    const trained = tf.tensor2d(TRAINED);
    for (const row of [3, trainedRow(2)]) {
      expect(() => embedding(FIXED, trained, Int32Array.of(row))).toThrow(
        /embedding: got fixed \[6\], trained \[2, 2\].*expected/,
      );
    }
  });
});
