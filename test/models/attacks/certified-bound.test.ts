import { beforeAll, describe, expect, test } from '@jest/globals';
import { certifiedBound } from '../../../models/attacks/certified-bound.js';
import { entityBound } from '../../../models/attacks/entity-bound.js';
import { namingBound, pairBound } from '../../../models/certification/bounds.js';
import { squaredDistances } from '../../../models/certification/squared-distances.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { phiWords } from '../../../models/training/recipes.js';
import { DIMENSION, toyVocabulary } from '../training/toy-notes.js';
import { toyContext, toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

describe('the certified bound', () => {
  test('is exactly one half where every move stays put', async () => {
    const report = certifiedBound(await toyContext(await toyTarget({ neighbours: 1 })));
    expect(report.bound.value).toBe(0.5);
    expect(report.maximum).toBe(0.5);
    expect(report.bound.interval).toEqual([0.5, 0.5]);
    expect(report.releases.map(({ bound }) => bound)).toEqual(Array(7).fill(0.5));
  });

  test('falls as the output noise grows, and rises with every further release', async () => {
    const reports = await Promise.all(
      [0.05, 0.2, 1].map(async (outputStddev) =>
        certifiedBound(await toyContext(await toyTarget({ outputStddev }), { draws: 4 })),
      ),
    );
    const bounds = reports.map(({ bound }) => bound.value);
    expect(bounds[0]).toBeGreaterThan(bounds[1]);
    expect(bounds[1]).toBeGreaterThan(bounds[2]);
    expect(bounds[2]).toBeGreaterThanOrEqual(0.5);
    for (const { releases } of reports)
      for (let i = 1; i < releases.length; i++)
        expect(releases[i].bound).toBeGreaterThanOrEqual(releases[i - 1].bound);
  });

  test('takes documents that belong together for one', async () => {
    const target = await toyTarget({ outputStddev: 0.5 });
    const context = await toyContext(target, { draws: 2 });
    const [first, ...others] = [0, 1, 2, 3].map((copy) => {
      const index = (at: number) => 100 * copy + at;
      return context.trials.map(({ example, ...trial }) => {
        return { ...trial, example: { ...example, documentIndex: index(example.documentIndex) } };
      });
    });
    const trials = [...first, ...others.flat()];
    const distances = Array.from(
      trials,
      (_, i) => context.distances[i % first.length] as Float32Array,
    );
    const origins = new Map(
      trials.map(({ example: { documentIndex } }) => [documentIndex, documentIndex % 100]),
    );
    const once = certifiedBound({ ...context, trials: first });
    const copied = certifiedBound({ ...context, trials, distances, origins });
    expect(copied.documents).toBe(once.documents);
    expect(copied.bound.value).toBeCloseTo(once.bound.value, 12);
    copied.bound.interval.forEach((end, i) => {
      expect(end).toBeCloseTo(once.bound.interval[i], 12);
    });
    const apart = certifiedBound({ ...context, trials, distances });
    expect(apart.documents).toBe(4 * once.documents);
    expect(apart.bound.interval[1]).toBeLessThan(copied.bound.interval[1]);
  });

  test('of an entity in a whole document is at least that of one of its sentences', async () => {
    const target = await toyTarget({ outputStddev: 0.5 });
    const context = await toyContext(target);
    const { bound } = certifiedBound(context);
    const entities = await entityBound(target, 8, 100, new Random(2), context);
    expect(entities.meanSentences).toBeGreaterThanOrEqual(1);
    expect(entities.bound.interval[1]).toBeGreaterThan(bound.interval[0]);
  });

  test('moves a word of an entity wherever else in its note it is PHI', async () => {
    const target = await toyTarget();
    const example = (documentIndex: number, text: string, labels: number[]) => ({
      ids: Int32Array.from(text.split(' '), (word) => target.vocabulary.idOf(word)),
      labels: Uint8Array.from(labels),
      documentIndex,
    });
    const sentencesOf = async (later: number[], documentIndex = 0) => {
      const test = [
        example(0, 'patient berta carla', [0, 1, 2]),
        example(documentIndex, 'seen carla', later),
      ];
      const report = await entityBound({ ...target, test }, 2, 100, new Random(2), {
        comparisons: 1,
      });
      return report.meanSentences * report.entities;
    };
    // Two entities, "berta carla" and "carla", each in both sentences.
    expect(await sentencesOf([0, 1])).toBe(4);
    expect(await sentencesOf([0, 0])).toBe(1);
    expect(await sentencesOf([0, 1], 1)).toBe(2);
  });

  const inBfloat16 = nativeFunction('hasBfloat16')() ? test : test.skip;
  inBfloat16('is of f in float32, whatever other passes are in', async () => {
    const target = await toyTarget({ outputStddev: 0.5 });
    const { distances } = await toyContext(target);
    await useBackend('native', 'bfloat16');
    try {
      expect((await toyContext(target)).distances).toEqual(distances);
    } finally {
      await useBackend('native', 'float32');
    }
  });

  test('moves a word without a vector likewise, where a model tells it by its letters', async () => {
    const { embeddings } = toyVocabulary();
    const sentencesOf = async (characters: boolean) => {
      const vocabulary = new Vocabulary(embeddings, { characters });
      const target = await toyTarget({ vocabulary, characters });
      const example = (text: string, labels: number[]) => ({
        ids: Int32Array.from(text.split(' '), (word) => vocabulary.idOf(word)),
        labels: Uint8Array.from(labels),
        documentIndex: 0,
      });
      const test = [example('patient berta xyzuk', [0, 1, 2]), example('seen xyzuk', [0, 1])];
      const candidates = await findCandidates(vocabulary, phiWords(test), 6);
      const notes = { ...target, test, candidates };
      const report = await entityBound(notes, 2, 100, new Random(2), { comparisons: 1 });
      return report.meanSentences * report.entities;
    };
    expect(await sentencesOf(true)).toBe(4);
    // One vector stands for any such word.
    expect(await sentencesOf(false)).toBe(1);
  });

  test('of entities is told apart by type, line, length of sentence, and by how often they stand in a note', async () => {
    const target = await toyTarget({ outputStddev: 0.5 });
    const lines = new Map(
      target.test.map((each, i) => [
        each,
        i % 2 === 0 ? ('form' as const) : ('narrative' as const),
      ]),
    );
    const { slices = [], bound } = await entityBound({ ...target, lines }, 4, 100, new Random(2), {
      comparisons: 1,
    });
    const trials = (by: string) =>
      slices.filter((each) => each.by === by).map(({ value }) => value);
    expect(trials('type')).toEqual(['NAME']);
    expect(trials('line')).toEqual(['form', 'narrative']);
    expect(trials('length')).toEqual(['9 to 20 tokens', 'up to 8 tokens']);
    expect(trials('sentences')).toEqual(['one sentence', 'several sentences']);
    const [name] = slices.filter(({ by }) => by === 'type');
    expect(name.success.value).toBe(bound.value);
  });

  test('measures distances in units of the output noise, over true tokens alone', async () => {
    const { representation } = await toyTarget({ neighbours: 2, outputStddev: 0.5 });
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

describe('bounds from distances', () => {
  test('know nothing at distance 0 and everything far away', () => {
    expect(pairBound([0, 0])).toBe(0.5);
    expect(pairBound([1e6])).toBe(1);
    expect(namingBound([[0], [0], [0], [0]])).toBe(0.25);
    expect(namingBound([[0], [1e6], [1e6], [1e6]])).toBe(1);
  });

  test('of one pair follow the normal distribution', () => {
    expect(pairBound([4])).toBeCloseTo(0.8413447, 6);
    expect(pairBound([1, 1], 4)).toBeCloseTo(0.8413447, 6);
  });
});
