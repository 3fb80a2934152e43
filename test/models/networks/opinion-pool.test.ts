import { beforeAll, expect, test } from '@jest/globals';
import type { CrfValues } from '../../../models/networks/opinion-pool.js';
import {
  mostLikelyLabels,
  pooledCrf,
  pooledEmissions,
} from '../../../models/networks/opinion-pool.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';

const L = 3;
const T = 4;

interface Crf extends CrfValues {
  /** [T·L] */
  readonly emissions: Float32Array;
}

function drawn(seed: number): Crf {
  const random = new Random(seed);
  return {
    emissions: random.normals(T * L),
    transitions: random.normals(L * L),
    start: random.normals(L),
    end: random.normals(L),
  };
}

function* sequences(length: number): Generator<number[]> {
  if (length === 0) return yield [];
  for (const rest of sequences(length - 1))
    for (let label = 0; label < L; label++) yield [...rest, label];
}

const at = (values: Float32Array, i: number) => values[i] as number;

function scoreOf({ emissions, transitions, start, end }: Crf, labels: readonly number[]): number {
  let score = at(start, labels[0] as number) + at(end, labels.at(-1) as number);
  labels.forEach((label, t) => {
    score += at(emissions, t * L + label);
    if (t > 0) score += at(transitions, (labels[t - 1] as number) * L + label);
  });
  return score;
}

/** Of every labelling. */
function logProbabilities(crf: Crf): number[] {
  const scores = [...sequences(T)].map((labels) => scoreOf(crf, labels));
  const logZ = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
  return scores.map((score) => score - logZ);
}

beforeAll(async () => {
  await useBackend();
});

test('the pool of CRFs is the normalised geometric mean of what each says of every labelling', () => {
  const members = [drawn(1), drawn(2), drawn(3)];
  const opinions = members.map(logProbabilities);
  const means = (opinions[0] as number[]).map(
    (_, i) => opinions.reduce((sum, opinion) => sum + (opinion[i] as number), 0) / members.length,
  );
  const logZ = Math.log(means.reduce((sum, mean) => sum + Math.exp(mean), 0));

  const tensors = members.map(({ emissions }) => tf.tensor3d(emissions, [1, T, L]));
  const pooled = pooledEmissions(tensors);
  const crf = { ...pooledCrf(members), emissions: pooled.dataSync<'float32'>() };
  logProbabilities(crf).forEach((value, i) => {
    expect(value).toBeCloseTo((means[i] as number) - logZ, 4);
  });
  const best = means.indexOf(Math.max(...means));
  expect([...mostLikelyLabels(pooled, Int32Array.of(T), crf)]).toEqual([...sequences(T)][best]);
  tf.dispose([...tensors, pooled]);
});

test('one alone is as it is', () => {
  const alone = drawn(4);
  const { transitions, start, end } = alone;
  expect(pooledCrf([alone])).toEqual({ transitions, start, end });
});
