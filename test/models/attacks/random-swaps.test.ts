import { beforeAll, describe, expect, test } from '@jest/globals';
import { viewOf } from '../../../models/attacks/baseline-views.js';
import { containingNeighbours } from '../../../models/attacks/containing-neighbours.js';
import { randomSwaps } from '../../../models/attacks/random-swaps.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { embeddingsFromRows, rowVector } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import type { View } from '../../../models/networks/view.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { standardNormalCdf } from '../../../models/tensor/standard-normal.js';
import * as tf from '../../../models/tensor/tf.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { DIMENSION } from '../training/toy-notes.js';
import { toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const LABELS = ['O', 'B-NAME', 'I-NAME', 'B-CITY', 'I-CITY'];
const STDDEV = 0.5;

/** f(x) = x, released with noise of a known deviation. */
function identity(view: View): View {
  return viewOf(
    {
      embed: view.embed.bind(view),
      mean: (x) => x.clone(),
      inputDimension: DIMENSION,
      config: { dimension: DIMENSION },
    },
    { input: () => tf.ones([DIMENSION]), output: () => tf.fill([DIMENSION], STDDEV) },
  );
}

function example(
  vocabulary: Vocabulary,
  documentIndex: number,
  text: string,
  labels: readonly number[],
): TextExample {
  const ids = Int32Array.from(text.split(' '), (word) => vocabulary.idOf(word));
  return { ids, labels: Uint8Array.from(labels), documentIndex };
}

function distanceOf({ vocabulary }: AuditTarget, a: string, b: string): number {
  const [x, y] = [a, b].map((word) =>
    rowVector(vocabulary.vectors(), DIMENSION, vocabulary.idOf(word)),
  );
  return Math.hypot(...x.map((value, k) => value - y[k])) / STDDEV;
}

const swapsOf = (target: AuditTarget, mostEntities = 100) =>
  randomSwaps(target, 3, mostEntities, new Random(2), { comparisons: 1 });

describe('the limit for a random swap', () => {
  test('is the best test between the two where all is known, and a near word may be no swap', async () => {
    const target = await toyTarget({ neighbours: 1, view: identity });
    const notes = [
      example(target.vocabulary, 0, 'seen berta', [0, 1]),
      example(target.vocabulary, 1, 'carla fever', [1, 0]),
    ];
    const known = { ...target, labels: LABELS, train: [], validation: [], test: notes };
    const report = await swapsOf(known);
    const distance = distanceOf(target, 'berta', 'carla');
    const expected = standardNormalCdf(distance / 2);
    expect(report).toMatchObject({ swaps: 2, documents: 2, draws: 3, unmatched: 0 });
    for (const value of [report.bound.value, report.median, report.maximum])
      expect(value).toBeCloseTo(expected, 5);
    expect(report.medianDistance).toBeCloseTo(distance, 4);
    expect(report.nearby.value).toBe(0.5);
  });

  test('swaps an entity for another of its type and length alone, from all the notes', async () => {
    const target = await toyTarget({ view: identity });
    const of = (documentIndex: number, text: string, labels: number[]) =>
      example(target.vocabulary, documentIndex, text, labels);
    const test = [
      of(0, 'seen berta', [0, 1]),
      of(1, 'fever david emil', [0, 1, 2]),
      of(2, 'pain gustav', [0, 3]),
    ];
    const notes = { ...target, labels: LABELS, train: [], validation: [], test };
    expect(await swapsOf(notes)).toMatchObject({ swaps: 0, unmatched: 3 });
    const train = [of(0, 'frida cough', [1, 0])];
    const report = await swapsOf({ ...notes, train });
    expect(report).toMatchObject({ swaps: 1, unmatched: 2 });
    expect(report.medianDistance).toBeCloseTo(distanceOf(target, 'berta', 'frida'), 4);
  });

  test('is drawn by the seed, for as many entities as asked', async () => {
    const target = await toyTarget({ outputStddev: 0.5 });
    const report = await swapsOf(target, 7);
    expect(report.swaps).toBe(7);
    expect(await swapsOf(target, 7)).toEqual(report);
  });
});

test('neighbours that contain the word are counted by word, in either case, without the word itself', async () => {
  const words = ['garcía', 'García', 'garcía-lópez', 'lópez', '1999', 'seen'];
  const matrix = Float32Array.from(words.flatMap((_, row) => [1, row / 10]));
  const vocabulary = new Vocabulary(embeddingsFromRows(words, matrix));
  const test = [
    example(vocabulary, 0, 'garcía seen lópez 1999', [1, 0, 1, 1]),
    example(vocabulary, 1, 'garcía', [1]),
  ];
  const ids = test.flatMap((each) => [...each.ids]);
  const candidates = await findCandidates(vocabulary, ids, 4);
  // Of "garcía": "García" and "garcía-lópez" and "lópez"; of "lópez": "garcía-lópez" and two others.
  expect(containingNeighbours({ test, candidates, vocabulary })).toEqual({
    words: 2,
    neighbours: 3,
    containing: 1.5,
  });
});
