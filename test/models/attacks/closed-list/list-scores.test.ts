import { beforeAll, expect, test } from '@jest/globals';
import { listScores } from '../../../../models/attacks/closed-list/list-scores.js';
import { filled, listedEntities } from '../../../../models/attacks/closed-list/listed-entity.js';
import { twinDistances } from '../../../../models/attacks/distances.js';
import { observe } from '../../../../models/attacks/likelihood/observe.js';
import { rankOf } from '../../../../models/attacks/likelihood/rank.js';
import { accuracyLimit } from '../../../../models/certification/accuracy.js';
import { estimate } from '../../../../models/statistics/estimate.js';
import { meanOf } from '../../../../models/statistics/mean-of.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { scoped } from '../../../../models/tensor/scoped.js';
import type * as tf from '../../../../models/tensor/tf.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const DRAWS = 8;

test('an entity drawn uniformly from its list is named no more often than the limit for all of its sentences allows', async () => {
  const target = await toyTarget({ outputStddev: 0.3 });
  const { representation, vocabulary } = target;
  const random = new Random(6);
  const named: { documentIndex: number; value: number }[] = [];
  const limits: { documentIndex: number; value: number }[] = [];
  for (const entity of listedEntities(target, 6, random)) {
    const { documentIndex, list, places } = entity;
    const truth = random.integer(list.length);
    const scores = scoped(() =>
      listScores(
        target,
        entity,
        (place) =>
          observe(
            representation,
            vocabulary,
            [filled(place, list[truth], vocabulary)],
            random,
          ).reshape<tf.Tensor2D>([1, -1]),
        { scorer: 'matched', draws: DRAWS },
        random.fork(`${named.length}`),
      ),
    );
    named.push({ documentIndex, value: Number(rankOf(scores, truth, random) === 0) });

    const pairs = list.flatMap((other) =>
      places.map((place) => ({
        ids: filled(place, list[0], vocabulary),
        twin: filled(place, other, vocabulary),
      })),
    );
    const distances = await twinDistances(target, pairs, DRAWS, random);
    const advantages = list.map((_, v) => {
      const own = distances.slice(v * places.length, (v + 1) * places.length);
      return 2 * accuracyLimit(own.reduce((sum, each) => sum + meanOf([...each]), 0)) - 1;
    });
    const limit = (1 + advantages.reduce((sum, each) => sum + each, 0)) / list.length;
    limits.push({ documentIndex, value: Math.min(1, limit) });
  }
  const [success, limit] = [estimate(named), estimate(limits)];
  expect(success.interval[0]).toBeLessThanOrEqual(limit.interval[1]);
  expect(success.value).toBeGreaterThan(0.5 * limit.value);
  expect(limit.value).toBeLessThan(1);
});
