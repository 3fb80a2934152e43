import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Parameters } from '../../../../models/networks/parameters.js';
import { Random } from '../../../../models/tensor/random.js';
import { RunDirectory } from '../../../../models/training/run/run-directory.js';
import { runStage } from '../../../../models/training/run/run-stage.js';
import type { Stage } from '../../../../models/training/run/stage.js';

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
