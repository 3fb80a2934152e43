import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Parameters } from '../../../../models/networks/parameters.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { Learner } from '../../../../models/training/run/learner.js';
import { LEARNER_DEFAULTS } from '../../../../models/training/run/learner-options.js';
import { RunDirectory } from '../../../../models/training/run/run-directory.js';
import { runStage } from '../../../../models/training/run/run-stage.js';
import type { Stage } from '../../../../models/training/run/stage.js';

beforeAll(() => useBackend());

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tacet-stage-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** One epoch of networks of a weight each, in which nothing is learned. */
function stageOf(...names: string[]): Stage {
  const one = () => new Parameters({ w: { shape: [1], data: Float32Array.of(1) } });
  return {
    ...{ name: 'P1', maxEpochs: 1, patience: 1, optimisers: {} },
    networks: Object.fromEntries(names.map((name) => [name, one()])),
    batches: () => [{ tokens: 1, run: () => ({}) }],
    validate: () => ({ monitor: 1 }),
  };
}

/** Two epochs of a weight that two learners move, each with an average; in `passed` what it was after the last. */
function sharedStage(passed: Float32Array[] = []): Stage {
  const shared = new Parameters({ w: { shape: [1], data: Float32Array.of(1) } });
  const learnerOf = () => new Learner([shared], { ...LEARNER_DEFAULTS, averaging: 0.9 });
  const [first, second] = [learnerOf(), learnerOf()];
  const loss = () => tf.sum(tf.square(shared.vector('w'))) as tf.Scalar;
  const pass = () => passed.push(shared.toArrays().w?.data as Float32Array);
  return {
    ...{ name: 'P1', maxEpochs: 2, patience: 2, networks: { shared } },
    optimisers: { first, second },
    *batches() {
      pass();
      for (const learner of [second, first, first])
        yield { tokens: 1, run: () => ({ loss: learner.step(loss) }) };
      pass();
    },
    validate: (_, epoch) => ({ monitor: -epoch }),
  };
}

describe('a stage whose learners share weights', () => {
  test('learns on from these and not from an average', async () => {
    const passed: Float32Array[] = [];
    await runStage(sharedStage(passed), { random: new Random(1) });
    const [, ended, begun] = passed;
    expect(begun).toEqual(ended);
  });

  test('ends as it would have after an interruption', async () => {
    const random = new Random(1);
    const [whole, again] = [sharedStage(), sharedStage()];
    await runStage(whole, { random });
    const run = await RunDirectory.open(directory, {});
    const epochKept = () => Promise.reject(new Error('interrupted'));
    await expect(runStage(sharedStage(), { random, run, epochKept })).rejects.toThrow(
      'interrupted',
    );
    await runStage(again, { random, run });
    expect(again.networks.shared?.toArrays()).toEqual(whole.networks.shared?.toArrays());
  });
});

describe('a stage that goes on', () => {
  test.each([
    [['representation']],
    [['representation', 'deidentifier', 'adversary']],
    [['representation', 'adversary']],
  ])('takes no checkpoint of the networks %j', async (names) => {
    const random = new Random(1);
    const run = await RunDirectory.open(directory, {});
    await runStage(stageOf(...names), { random, run });
    await expect(
      runStage(stageOf('representation', 'deidentifier'), { random, run }),
    ).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringContaining('expected deidentifier, representation'),
    });
  });
});
