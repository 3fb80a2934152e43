import { beforeAll, describe, expect, test } from '@jest/globals';
import { certifiedBound } from '../../../models/attacks/certified-bound.js';
import { continuedAdversary } from '../../../models/attacks/continued-adversary.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { squaredDistances } from '../../../models/training/certified.js';
import { phiWords } from '../../../models/training/recipes.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../training/toy-notes.js';

beforeAll(async () => {
  await useBackend();
});

async function toyTarget(neighbours: number, outputStddev: number): Promise<AuditTarget> {
  const vocabulary = toyVocabulary();
  const [train, validation, held] = [120, 30, 120].map((count, i) =>
    toyExamples(vocabulary, count, 10 + i),
  );
  const candidates = await findCandidates(
    vocabulary,
    phiWords(train, validation, held),
    neighbours,
  );
  const representation = Representation.create(
    {
      embeddingDimension: DIMENSION,
      units: 6,
      dimension: 5,
      initialInputStddev: 0.05,
      initialOutputStddev: outputStddev,
    },
    new Random(5),
  );
  return { representation, vocabulary, candidates, train, validation, test: held };
}

describe('the certified bound', () => {
  test('is exactly one half where every move stays put', async () => {
    const report = certifiedBound(await toyTarget(1, 0.1), { seed: 1, draws: 2 }, new Random(1));
    expect(report.bound).toBe(0.5);
    expect(report.maximum).toBe(0.5);
    expect(report.interval).toEqual([0.5, 0.5]);
  });

  test('falls as the output noise grows', async () => {
    const bound = async (stddev: number) =>
      certifiedBound(await toyTarget(6, stddev), { seed: 1, draws: 4 }, new Random(1)).bound;
    const bounds = [await bound(0.05), await bound(0.2), await bound(1)];
    expect(bounds[0]).toBeGreaterThan(bounds[1]);
    expect(bounds[1]).toBeGreaterThan(bounds[2]);
    expect(bounds[2]).toBeGreaterThanOrEqual(0.5);
  });

  test('is not beaten by a trained adversary beyond both intervals, which does find a leak', async () => {
    const target = await toyTarget(6, 0.05);
    const { bound, interval } = certifiedBound(target, { seed: 1 }, new Random(1));
    const attack = await continuedAdversary(
      target,
      { seed: 1, units: 12, maxEpochs: 12, patience: 12 },
      { random: new Random(2) },
    );
    expect(attack.test.interval[0]).toBeLessThanOrEqual(interval[1]);
    expect(attack.train.accuracy).toBeGreaterThan(0.55);
    expect(bound).toBeGreaterThan(0.7);
  });

  test('measures distances in units of the output noise, over true tokens alone', async () => {
    const { representation } = await toyTarget(2, 0.5);
    tf.tidy(() => {
      const random = new Random(9);
      const x = tf.tensor3d(random.normals(2 * 3 * DIMENSION), [2, 3, DIMENSION]);
      const twin = tf.tensor3d(random.normals(2 * 3 * DIMENSION), [2, 3, DIMENSION]);
      const lengths = Int32Array.of(3, 1);
      const found = squaredDistances(representation, x, twin, lengths, new Random(4)).dataSync();

      const noise = tf
        .tensor3d(new Random(4).normals(2 * 3 * DIMENSION), [2, 3, DIMENSION])
        .mul(representation.inputStddev());
      const a = representation.mean(x.add(noise), lengths).arraySync();
      const b = representation.mean(twin.add(noise), lengths).arraySync();
      const stddev = representation.outputStddev().arraySync();
      const expected = [...lengths].map((length, row) => {
        let sum = 0;
        for (let t = 0; t < length; t++) {
          stddev.forEach((s, k) => {
            sum += ((a[row][t][k] - b[row][t][k]) / s) ** 2;
          });
        }
        return sum;
      });
      expected.forEach((value, row) => {
        expect(Math.abs(found[row] - value)).toBeLessThan(1e-4 * value);
      });
    });
  });
});
