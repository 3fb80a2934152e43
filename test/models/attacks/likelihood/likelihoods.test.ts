import { beforeAll, expect, test } from '@jest/globals';
import { likelihoods } from '../../../../models/attacks/likelihood/likelihoods.js';
import { observeRepeatedly } from '../../../../models/attacks/likelihood/observe.js';
import { logMeanExp } from '../../../../models/statistics/log-mean-exp.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
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
