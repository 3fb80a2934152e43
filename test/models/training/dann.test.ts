import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { dannStage, trainDann } from '../../../models/training/dann.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import type { Metrics } from '../../../models/training/run/step.js';
import { createNetworks } from '../../../models/training/three-phase.js';
import { TOY_CONFIG, toyData, weightsOf } from './toy-training.js';

beforeAll(() => useBackend());

async function stageWith(dann: Partial<typeof TOY_CONFIG.dann>) {
  const data = await toyData();
  const networks = createNetworks(data, TOY_CONFIG, new Random(1));
  // No clipping: the norm of one network's gradient would scale the steps of the others.
  const learner = { learningRate: 0.01, clipNorm: 1e9 };
  const config = { ...TOY_CONFIG, learner, dann: { ...TOY_CONFIG.dann, ...dann } };
  return { networks, stage: dannStage(networks, data, config) };
}

describe('gradient reversal training', () => {
  test('moves all three networks in every step', async () => {
    const { networks, stage } = await stageWith({});
    const before = weightsOf({ ...networks });
    for (const step of stage.batches(new Random(2), 1)) step.run();
    const after = weightsOf({ ...networks });
    for (const name of Object.keys(before)) expect(after[name]).not.toBe(before[name]);
  });

  test('raises lambda from 0 over its first epochs and then holds it', async () => {
    const { stage } = await stageWith({ lambda: 0.5, rampEpochs: 2 });
    const lambdas = (epoch: number) =>
      [...stage.batches(new Random(2), epoch)].map((step) => (step.run() as Metrics).lambda);
    const rising = [...lambdas(1), ...lambdas(2)];
    expect(rising[0]).toBe(0);
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    expect(new Set(lambdas(4)).size).toBe(1);
    expect(lambdas(4)[0]).toBeCloseTo(0.5, 3);
  });

  test('keeps lambda at 0 as long as it is told to, and looks for the best after all that', async () => {
    const { stage } = await stageWith({ delayEpochs: 2, rampEpochs: 1 });
    const lambdas = (epoch: number) =>
      [...stage.batches(new Random(2), epoch)].map((step) => (step.run() as Metrics).lambda);
    expect(new Set([...lambdas(1), ...lambdas(2)])).toEqual(new Set([0]));
    expect(Math.max(...lambdas(3))).toBeGreaterThan(0.9);
    expect([2, 3].map((epoch) => stage.counts?.({}, epoch))).toEqual([false, true]);
  });

  test('holds lambda from the first step where it is not to rise', async () => {
    const { stage } = await stageWith({ lambda: 0.5, rampEpochs: 0 });
    const lambdas = [...stage.batches(new Random(2), 1)].map(
      (step) => (step.run() as Metrics).lambda,
    );
    expect(new Set(lambdas)).toEqual(new Set([0.5]));
    expect(stage.counts?.({}, 1)).toBe(true);
  });

  test('looks for the best only once lambda is there, also where it does not rise', async () => {
    const { stage } = await stageWith({ lambda: 0.5, delayEpochs: 2, rampEpochs: 0 });
    const lambdas = (epoch: number) =>
      [...stage.batches(new Random(2), epoch)].map((step) => (step.run() as Metrics).lambda);
    expect([2, 3].map((epoch) => [...new Set(lambdas(epoch))])).toEqual([[0], [0.5]]);
    expect([2, 3].map((epoch) => stage.counts?.({}, epoch))).toEqual([false, true]);
  });

  test('with lambda 0 nothing of the adversary reaches the representation', async () => {
    const trained = async (adversary: 'fresh' | 'spoilt') => {
      const { networks, stage } = await stageWith({ lambda: 0 });
      if (adversary === 'spoilt') {
        const weights = networks.adversary.parameters.toArrays();
        for (const { data } of Object.values(weights)) data.fill(0.3);
        networks.adversary.parameters.load(weights);
      }
      const [step] = stage.batches(new Random(2), 1);
      step.run();
      return weightsOf({ ...networks });
    };
    const [fresh, spoilt] = [await trained('fresh'), await trained('spoilt')];
    expect(spoilt.adversary).not.toBe(fresh.adversary);
    expect(spoilt.representation).toBe(fresh.representation);
  });

  test('lets no epoch turn out the best before lambda has risen', async () => {
    const { stage } = await stageWith({ rampEpochs: 3 });
    expect([1, 2, 3, 4].map((epoch) => stage.counts?.({}, epoch))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('an adversary of gradient reversal that says the same of every pair', () => {
  test('starts again, alone at first, and learns to tell pairs apart', async () => {
    const { networks, stage } = await stageWith({ warmupEpochs: 2 });
    const silent = networks.adversary.parameters.toArrays();
    for (const { data } of Object.values(silent)) data.fill(0);
    networks.adversary.parameters.load(silent);
    const validation = stage.validate(new Random(5), 1);
    const before = weightsOf({ ...networks });
    const remedy = stage.remedy?.(new Random(6), 1, validation);
    expect(remedy?.note).toBe('adversary restarted: its output was constant');
    expect(weightsOf({ ...networks })).toEqual(before);
    const steps = remedy?.apply() ?? [];
    const fresh = weightsOf({ ...networks });
    expect(fresh.adversary).not.toBe(before.adversary);
    for (const step of steps) step.run();
    const after = weightsOf({ ...networks });
    expect(after.adversary).not.toBe(fresh.adversary);
    expect(after.representation).toBe(before.representation);
    expect(after.deidentifier).toBe(before.deidentifier);
    const again = stage.validate(new Random(5), 1);
    expect(again.stddev).toBeGreaterThan(TOY_CONFIG.collapsedStddev);
    expect(stage.remedy?.(new Random(6), 2, again)).toBeNull();
  });

  test('does so bit for bit where it was interrupted', async () => {
    const dann = { ...TOY_CONFIG.dann, maxEpochs: 3, warmupEpochs: 1 };
    // No output spreads so far: the adversary starts again after each epoch.
    const config = { ...TOY_CONFIG, dann, collapsedStddev: 1 };
    const train = async (context: Partial<StageContext> = {}) => {
      const random = new Random(11);
      const { stages, ...networks } = await trainDann(await toyData(), config, {
        random,
        ...context,
      });
      return { stages, weights: weightsOf({ ...networks }) };
    };
    const whole = await train();
    expect(whole.stages.dann.remedies).toBe(2);
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-dann-'));
    const controller = new AbortController();
    const interrupted = train({
      run: await RunDirectory.open(directory, config),
      signal: controller.signal,
      progress: ({ step, done }) => {
        if (step.startsWith('dann, after epoch 2') && done > 0)
          controller.abort(new Error('interrupted'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const run = await RunDirectory.open(directory, config, { resume: true });
    expect(await train({ run })).toEqual(whole);
    await rm(directory, { recursive: true });
  });

  test('is judged by an average of the steps that all three took', async () => {
    const data = await toyData();
    const config = { ...TOY_CONFIG, learner: { ...TOY_CONFIG.learner, averaging: 0.9 } };
    const stage = dannStage(createNetworks(data, config, new Random(1)), data, config);
    for (const step of stage.remedy?.(new Random(6), 1, { stddev: 0 })?.apply() ?? []) step.run();
    const adversary = () => weightsOf({ adversary: { parameters: stage.networks.adversary } });
    const before = adversary();
    for (const optimiser of Object.values(stage.optimisers)) optimiser.useAverages?.();
    expect(adversary()).toEqual(before);
  });
});
