import { beforeAll, describe, expect, test } from '@jest/globals';
import { noiseOff } from '../../../../models/attacks/baseline-views.js';
import {
  likelihoods,
  windowLikelihoods,
} from '../../../../models/attacks/likelihood/likelihoods.js';
import { observeRepeatedly } from '../../../../models/attacks/likelihood/observe.js';
import type { Window } from '../../../../models/attacks/likelihood/window.js';
import { logMeanExp } from '../../../../models/statistics/log-mean-exp.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

test('a hypothesis of several sentences is as likely as they are on average', async () => {
  const { representation, vocabulary } = await toyTarget({ outputStddev: 0.5 });
  const sentence = (text: string) =>
    Int32Array.from(text.split(' '), (word) => vocabulary.idOf(word));
  const sentences = ['berta seen', 'carla seen', 'david fever', 'emil fever'].map(sentence);
  const released = observeRepeatedly(
    representation,
    vocabulary,
    sentence('berta seen'),
    3,
    new Random(2),
  );
  const found = (ways: number) =>
    likelihoods(representation, vocabulary, sentences, released, 4, new Random(3), ways);
  const [each, both] = [found(1), found(2)];
  for (const [v, k] of [
    [0, 0],
    [0, 2],
    [1, 1],
  ]) {
    const own = [0, 1].map((way) => each.monteCarlo[(2 * v + way) * 3 + k]);
    expect(both.monteCarlo[v * 3 + k]).toBeCloseTo(logMeanExp(own), 4);
  }
  expect(both.matched).toHaveLength(6);
  expect(both.distances).toEqual(each.distances);
});

describe('a hypothesis that is a window of a sentence', () => {
  const windows: Window[] = [
    { ids: Int32Array.of(0, 1, 2), start: 1, end: 3 },
    { ids: Int32Array.of(3, 1, 2, 0, 1), start: 1, end: 3 },
    { ids: Int32Array.of(1, 2), start: 0, end: 2 },
  ];

  test('is as likely as the vectors that f gives the window in its sentence', async () => {
    const { representation, vocabulary } = await toyTarget({ view: noiseOff });
    const { dimension: d } = representation.config;
    const released = new Random(1).normals(2 * 2 * d);
    const found = windowLikelihoods(
      representation,
      vocabulary,
      windows,
      tf.tensor2d(released, [2, 2 * d]),
      1,
      new Random(3),
    );
    const stddev = representation.outputStddev().dataSync();
    const expected = windows.flatMap(({ ids, start }) => {
      const x = representation.embed(vocabulary, ids, ids.length);
      const means = representation.mean(x, Int32Array.of(ids.length)).dataSync();
      return [0, 1].map((k) => {
        let sum = 0;
        for (let i = 0; i < 2 * d; i++)
          sum += ((released[k * 2 * d + i] - means[start * d + i]) / stddev[i % d]) ** 2;
        return -sum / 2;
      });
    });
    for (const [i, score] of found.monteCarlo.entries())
      expect(score / expected[i]).toBeCloseTo(1, 4);
  });

  test('is no likelier for the windows beside it', async () => {
    const { representation, vocabulary } = await toyTarget({ inputStddev: 0.5, outputStddev: 1 });
    const released = tf.zeros<tf.Rank.R2>([1, 2 * representation.config.dimension]);
    const scored = (some: readonly Window[]) =>
      windowLikelihoods(representation, vocabulary, some, released, 4, new Random(3)).monteCarlo;
    const together = scored(windows);
    for (const [v, window] of windows.entries())
      expect(scored([window])[0]).toBeCloseTo(together[v], 3);
  });
});
