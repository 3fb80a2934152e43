import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { releaseWithPairs } from '../../../models/training/adversarial-batch.js';
import type { Phase3Config } from '../../../models/training/configuration/three-phase-config.js';
import { DISTANCES } from '../../../models/training/configuration/three-phase-config.js';
import { pairedBatches, pairSource, pairSources } from '../../../models/training/data/pairs.js';
import { phase3, representationLoss } from '../../../models/training/phase3.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import { runStage } from '../../../models/training/run/run-stage.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import { createNetworks, trainThreePhase } from '../../../models/training/three-phase.js';
import { TOY_CONFIG, toyData, weightsOf } from './toy-training.js';

beforeAll(() => useBackend());

async function setUp(P3: Partial<Phase3Config> = {}, spoil?: (weights: NamedArrays) => void) {
  const data = await toyData();
  const networks = createNetworks(data, TOY_CONFIG, new Random(1));
  if (spoil) {
    const weights = networks.adversary.parameters.toArrays();
    spoil(weights);
    networks.adversary.parameters.load(weights);
  }
  const pairs = pairSources(data);
  const config = { ...TOY_CONFIG, P3: { ...TOY_CONFIG.P3, ...P3 } };
  const stage = phase3(networks, data, pairs, config);
  return { data, networks, pairs, stage };
}

const RESTARTED = 'adversary restarted: its output was constant';

const silence = (weights: NamedArrays) => {
  for (const { data } of Object.values(weights)) data.fill(0);
};

describe('the gradient of P3(b)', () => {
  test.each(DISTANCES)(
    'agrees with finite differences through the frozen networks (%s)',
    async (distance) => {
      const { data, networks, pairs } = await setUp();
      const { representation } = networks;
      const [{ batch, wanted }] = pairedBatches(data.train, pairs.train, 8, new Random(3));
      const loss = () => {
        const random = new Random(4);
        const drawn = releaseWithPairs(
          representation,
          data.vocabulary,
          batch,
          wanted,
          pairs.train,
          random,
        );
        const terms = { lambda: 20, distance, vocabulary: data.vocabulary };
        return representationLoss(drawn, batch, networks, terms, random);
      };
      const variables = representation.parameters.variables();
      const { grads } = tf.variableGrads(loss, variables);
      const names = Object.keys(representation.parameters.toArrays());
      for (const [i, name] of names.entries()) {
        // The trained vectors reach no loss here: every toy word has one of its own.
        if (name === 'trained') continue;
        const gradient = grads[variables[i].name].dataSync<'float32'>();
        const largest = gradient.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
        const at = gradient.findIndex((value) => Math.abs(value) === largest);
        const shifted = (by: number) => {
          const weights = representation.parameters.toArrays();
          weights[name].data[at] += by;
          representation.parameters.load(weights);
          const value = tf.tidy(() => loss().dataSync<'float32'>()[0]);
          weights[name].data[at] -= by;
          representation.parameters.load(weights);
          return value;
        };
        const step = 4e-3;
        const expected = (shifted(step) - shifted(-step)) / (2 * step);
        expect(Math.abs(gradient[at] - expected)).toBeLessThan(0.02 * Math.abs(expected) + 2e-3);
      }
    },
  );
});

describe('an epoch of P3', () => {
  test('has pairs in every batch, and fakes that no other epoch had', async () => {
    const { data, networks, stage } = await setUp();
    const rows: string[][] = [];
    const embed = networks.representation.embed.bind(networks.representation);
    networks.representation.embed = (vocabulary, ids, steps) => {
      const batch: string[] = [];
      for (let at = 0; at < ids.length; at += steps)
        batch.push(
          ids
            .slice(at, at + steps)
            .filter((id) => id >= 0)
            .join(' '),
        );
      rows.push(batch);
      return embed(vocabulary, ids, steps);
    };
    const own = new Set(data.train.map(({ ids }) => ids.join(' ')));
    const fakesOf = (epoch: number) => {
      rows.length = 0;
      for (const step of stage.batches(new Random(2).fork(`${epoch}`), epoch)) step.run();
      // One row a sentence of (a) and of (b); those beyond are the pairs' second elements.
      const seconds = rows.flat().length - 2 * data.train.length;
      expect(seconds).toBe(2 * pairSource(data.train, data.candidates).positions.size);
      return rows.flat().filter((row) => !own.has(row));
    };
    const [first, second] = [fakesOf(1), fakesOf(2)];
    expect(first.length).toBeGreaterThan(0);
    expect(second).not.toEqual(first);
    expect(fakesOf(1)).toEqual(first);
  });
});

describe('an adversary that catches up', () => {
  test('learns on after (b), against a representation that stands still', async () => {
    const plain = await setUp();
    const border = [...plain.stage.batches(new Random(2), 1)].length;
    const { networks, stage } = await setUp({ catchUpEpochs: 2 });
    const steps = [...stage.batches(new Random(2), 1)];
    expect(steps.length).toBeGreaterThan(border);
    for (const step of steps.slice(0, border)) step.run();
    const afterB = weightsOf({ ...networks });
    for (const step of steps.slice(border)) step.run();
    const caughtUp = weightsOf({ ...networks });
    expect(caughtUp.adversary).not.toBe(afterB.adversary);
    expect(caughtUp.representation).toBe(afterB.representation);
    expect(caughtUp.deidentifier).toBe(afterB.deidentifier);
  });
});

describe('more epochs of (a)', () => {
  test('come before (b), in which all but the representation stand still', async () => {
    const { networks, stage } = await setUp({ adversaryEpochs: 2 });
    const steps = [...stage.batches(new Random(2), 1)];
    const border = (steps.length * 2) / 3;
    const before = weightsOf({ ...networks });
    for (const step of steps.slice(0, border)) step.run();
    const afterA = weightsOf({ ...networks });
    for (const step of steps.slice(border)) step.run();
    const afterB = weightsOf({ ...networks });
    expect(afterA.representation).toBe(before.representation);
    expect(afterB.representation).not.toBe(afterA.representation);
    for (const name of ['deidentifier', 'adversary'] as const) {
      expect(afterA[name]).not.toBe(before[name]);
      expect(afterB[name]).toBe(afterA[name]);
    }
  });
});

describe('the stopping rule of P3', () => {
  test('is the loss of (b) on held-out notes', async () => {
    const { stage } = await setUp();
    const { monitor, l_deid, l_adv } = stage.validate(new Random(5), 1);
    expect(monitor).toBe(l_deid + Math.abs(l_adv - Math.LN2));
  });
});

describe('an adversary that says the same of every pair', () => {
  test('starts again from fresh weights, and its epoch cannot be the best', async () => {
    const { networks, stage } = await setUp({ warmupEpochs: 1 }, silence);
    const validation = stage.validate(new Random(5), 1);
    expect(validation.stddev).toBe(0);
    expect(stage.counts?.(validation, 1)).toBe(false);
    const before = weightsOf({ ...networks });
    const remedy = stage.remedy?.(new Random(6), 1, validation);
    expect(remedy?.note).toBe(RESTARTED);
    expect(weightsOf({ ...networks })).toEqual(before);
    for (const step of remedy?.apply() ?? []) step.run();
    const after = weightsOf({ ...networks });
    expect(after.representation).toBe(before.representation);
    expect(after.deidentifier).toBe(before.deidentifier);
    const again = stage.validate(new Random(5), 1);
    expect(again.stddev).toBeGreaterThan(TOY_CONFIG.collapsedStddev);
    expect(stage.counts?.(again, 1)).toBe(true);
    expect(stage.remedy?.(new Random(6), 2, again)).toBeNull();
  });
});

describe('restarts', () => {
  const P3 = { ...TOY_CONFIG.P3, maxEpochs: 4, patience: 9, warmupEpochs: 1 };
  /** So high that every adversary is taken for constant. */
  const config = { ...TOY_CONFIG, collapsedStddev: 1, P3 };
  const train = async (context: Partial<StageContext> = {}) => {
    const random = new Random(11);
    const { stages, ...networks } = await trainThreePhase(await toyData(), config, {
      random,
      ...context,
    });
    return { stages, weights: weightsOf({ ...networks }) };
  };

  test('are told in the metrics and survive an interruption bit for bit', async () => {
    const whole = await train();
    expect(whole.stages.P3.remedies).toBe(3);
    const directory = await mkdtemp(path.join(tmpdir(), 'tacet-run-'));
    const controller = new AbortController();
    const interrupted = train({
      run: await RunDirectory.open(directory, config),
      signal: controller.signal,
      progress: ({ step, done }) => {
        if (step.startsWith('P3, after epoch 2') && done > 0)
          controller.abort(new Error('interrupted'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const run = await RunDirectory.open(directory, config, { resume: true });
    const steps = new Set<string>();
    expect(await train({ run, progress: ({ step }) => steps.add(step) })).toEqual(whole);
    expect([...steps].map((step) => step.replace(/:.*/, ''))).toEqual([
      'P3, after epoch 2',
      'P3, epoch 3 of 4',
      'P3, after epoch 3',
      'P3, epoch 4 of 4',
    ]);
    const metrics = (await readFile(path.join(directory, 'metrics.jsonl'), 'utf8')).trim();
    const remedies = metrics.split('\n').map((line) => JSON.parse(line).remedy);
    expect(remedies.slice(-4)).toEqual([...Array(3).fill(RESTARTED), undefined]);
  });

  test('need no epoch alone', async () => {
    const { networks, stage } = await setUp({ warmupEpochs: 0 }, silence);
    const before = weightsOf({ ...networks });
    const brief = { ...stage, maxEpochs: 2, patience: 9, batches: nothing };
    const { remedies } = await runStage(brief, { random: new Random(3) });
    const after = weightsOf({ ...networks });
    expect(remedies).toBe(1);
    expect(after.adversary).not.toBe(before.adversary);
    expect(after.representation).toBe(before.representation);
  });
});

/** Epochs in which nothing learns. */
function* nothing() {
  yield { tokens: 1, run: () => ({}) };
}
