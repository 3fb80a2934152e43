import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Parameters } from '../../../../models/networks/parameters.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { Learner } from '../../../../models/training/run/learner.js';
import { RunDirectory } from '../../../../models/training/run/run-directory.js';
import { runStage } from '../../../../models/training/run/run-stage.js';
import type { Stage } from '../../../../models/training/run/stage.js';
import { WeightAverage } from '../../../../models/training/run/weight-average.js';

beforeAll(() => useBackend());

const single = (value: number): Parameters =>
  new Parameters({ w: { shape: [1], data: Float32Array.of(value) } });
const weightOf = (parameters: Parameters) => parameters.toArrays().w?.data[0] as number;

describe('an average of weights', () => {
  test('keeps of step t the share min(decay, t / (t + 9))', () => {
    const variable = tf.variable(tf.tensor1d([0]), true);
    const average = new WeightAverage([variable], 0.5);
    let expected = 0;
    for (let t = 0; t < 40; t++) {
      variable.assign(tf.tensor1d([t * t]));
      average.update();
      const kept = Math.min(0.5, t / (t + 9));
      expected = kept * expected + (1 - kept) * t * t;
    }
    const putBack = average.use();
    expect(variable.dataSync()[0]).toBeCloseTo(expected, 3);
    putBack();
    expect(variable.dataSync()[0]).toBe(39 * 39);
  });

  test('leaves weights alone before the first step, and begins anew where it is told to', () => {
    const variable = tf.variable(tf.tensor1d([7]), true);
    const average = new WeightAverage([variable], 0.9);
    average.use();
    expect(variable.dataSync()[0]).toBe(7);
    average.update();
    average.restart();
    variable.assign(tf.tensor1d([3]));
    average.update();
    average.use();
    expect(variable.dataSync()[0]).toBe(3);
  });
});

/** Walks the one weight towards 0 from 1, each epoch a few steps; validation is the weight itself. */
function walk(parameters: Parameters, averaging: number, maxEpochs: number): Stage {
  const learner = new Learner([parameters], { learningRate: 0.01, clipNorm: 1, averaging });
  const weight = parameters.variables()[0] as tf.Variable;
  return {
    name: 'walk',
    ...{ maxEpochs, patience: 100 },
    networks: { single: parameters },
    optimisers: { learner },
    *batches() {
      for (let step = 0; step < 8; step++)
        yield {
          tokens: 1,
          run: () => ({ loss: learner.step(() => tf.sum(tf.square(weight))) }),
        };
    },
    validate: () => ({ monitor: weightOf(parameters) ** 2 }),
  };
}

describe('a stage whose learner averages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tacet-average-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('validates and keeps the averages, which lag behind the weights', async () => {
    const [plain, averaged] = [single(1), single(1)];
    const context = { random: new Random(1) };
    const without = await runStage(walk(plain, 0, 2), context);
    const within = await runStage(walk(averaged, 0.9, 2), context);
    expect(weightOf(averaged)).toBeGreaterThan(weightOf(plain));
    expect(within.best?.monitor).toBeCloseTo(weightOf(averaged) ** 2, 6);
    expect(without.best?.monitor).toBeCloseTo(weightOf(plain) ** 2, 6);
  });

  test('goes on after an interruption as if there had been none', async () => {
    const random = new Random(1);
    const record = { kind: 'walk' };
    const [whole, broken] = [single(1), single(1)];
    await runStage(walk(whole, 0.9, 4), { random });
    const at = path.join(folder, 'run');
    const first = await RunDirectory.beginOrResume(at, record);
    const stage = walk(broken, 0.9, 4);
    const cutOff: Stage = {
      ...stage,
      validate: (draws, epoch) => {
        if (epoch === 3) throw new Error('cut off');
        return stage.validate(draws, epoch);
      },
    };
    await expect(runStage(cutOff, { random, run: first })).rejects.toThrow('cut off');
    const again = single(1);
    await runStage(walk(again, 0.9, 4), {
      random,
      run: await RunDirectory.beginOrResume(at, record),
    });
    expect(weightOf(again)).toBe(weightOf(whole));
  });
});
