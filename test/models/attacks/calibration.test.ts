import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../models/attacks/attack.js';
import { noiseOff, pureNoise, rawEmbeddings } from '../../../models/attacks/baseline-views.js';
import { freshTrainingAdversary } from '../../../models/attacks/learned/continued-adversary.js';
import { freshAdversary } from '../../../models/attacks/learned/fresh-adversary.js';
import { knownNoise } from '../../../models/attacks/likelihood/known-noise.js';
import { knownNoiseSequence } from '../../../models/attacks/likelihood/known-noise-sequence.js';
import { lookupTable } from '../../../models/attacks/linkage/lookup-table.js';
import { beatsChance } from '../../../models/attacks/report/guessing.js';
import { release } from '../../../models/networks/release.js';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { toyContext, toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const NEIGHBOURS = 6;

describe('a learned adversary on raw embeddings', () => {
  test.each([
    ['T1', freshTrainingAdversary({ units: 64, task: 'T1' })],
    ['pooled', freshAdversary({ shape: 'pooled', units: 16 })],
    ['attention', freshAdversary({ shape: 'attention', units: 16 })],
    ['bilstm', freshAdversary({ shape: 'bilstm', units: 16 })],
  ])(
    'ends at 1 − 1/2N within the paper’s epochs (%s): a word is among its own neighbours',
    async (_, attack) => {
      const sentences = [900, 60, 150] as const;
      const target = await toyTarget({ view: rawEmbeddings, neighbours: NEIGHBOURS, sentences });
      const [report] = await conduct(attack, target, await toyContext(target, { rounds: 2 }));
      const most = 1 - 1 / (2 * NEIGHBOURS);
      expect(report.success.value).toBeGreaterThan(most - 0.06);
      expect(report.success.interval[0]).toBeLessThanOrEqual(most);
    },
  );
});

describe('on pure noise', () => {
  test('attacks raise false alarms no more often than stated, over 30 small audits', async () => {
    const sentences = [12, 4, 30] as const;
    const target = await toyTarget({ view: pureNoise, sentences });
    const attacks = [
      knownNoise({ trials: 12, draws: 1, releases: [1] }),
      knownNoiseSequence({ trials: 4, words: 2, draws: 1, width: 1 }),
      lookupTable({ trials: 10, sentences: 3, draws: 1 }),
    ];
    const comparisons = attacks.reduce((sum, { reports }) => sum + reports, 0);
    let alarmed = 0;
    for (let seed = 0; seed < 30; seed++) {
      const context = await toyContext(target, { seed, draws: 1 });
      const reports = [];
      for (const attack of attacks)
        reports.push(...(await conduct(attack, target, { ...context, comparisons })));
      if (
        reports.some((report) => report.role === 'attack' && beatsChance(report, { comparisons }))
      )
        alarmed += 1;
    }
    // 2.5 % of all audits at most; 4 of 30 are beyond the 99th percentile of that.
    expect(alarmed).toBeLessThanOrEqual(3);
  }, 300_000);
});

describe('on the releases that are about to be shared', () => {
  test('attacks see these and no others', async () => {
    const loud = await toyTarget({ outputStddev: 20, sentences: [30, 4, 60] });
    const { representation } = await toyTarget({ view: noiseOff });
    const released = new Map(
      loud.test.map((example) => {
        const lengths = Int32Array.of(example.ids.length);
        const x = representation.embed(loud.vocabulary, example.ids, example.ids.length);
        return [example, representation.mean(x, lengths).dataSync<'float32'>()];
      }),
    );
    const attacked = async (target: typeof loud) =>
      conduct(knownNoise({ draws: 4 }), target, await toyContext(target, { rounds: 2 }));
    const [fresh, freshlyListed] = await attacked(loud);
    const [shared, listed, twins] = await attacked({ ...loud, released });
    expect(fresh.success.value).toBeLessThan(0.5);
    // Vectors without noise, though the model says there is much: the likeliest word is the right one.
    expect(shared.success.value).toBeGreaterThan(0.9);
    expect(twins.success.value).toBeGreaterThan(0.85);
    expect(shared.curves[0].points).toHaveLength(1);
    expect(twins.pairs?.epsilon).toBeNull();
    expect(listed.pairs?.epsilon).toBeNull();
    expect(listed.description).toContain('gives some of it away');
    expect(freshlyListed.pairs?.epsilon).not.toBeNull();
    expect(freshlyListed.description).not.toContain('gives some of it away');
    const learned = freshTrainingAdversary({ units: 2, limits: { maxEpochs: 1, patience: 1 } });
    const given = { ...loud, released };
    const [judged] = await conduct(learned, given, await toyContext(given));
    expect(judged.pairs).toMatchObject({ epsilon: null });
  });

  test('finds as much as in fresh releases where they are alike', async () => {
    const target = await toyTarget({ outputStddev: 0.3, sentences: [30, 4, 120] });
    const { representation, vocabulary } = target;
    if (!(representation instanceof Representation)) throw new Error('a toy has no other view');
    const vectors = release(
      representation,
      vocabulary,
      target.test.map(({ ids }) => ids),
    );
    const released = new Map(target.test.map((example, i) => [example, vectors[i]]));
    const context = await toyContext(target, { rounds: 2 });
    const trials = context.trials.map((trial) => {
      return { ...trial, released: released.get(trial.example) };
    });
    const attack = knownNoise({ draws: 4, releases: [1] });
    const [, , fresh] = await conduct(attack, target, context);
    const [, , shared] = await conduct(attack, { ...target, released }, { ...context, trials });
    expect(Math.abs(fresh.success.value - shared.success.value)).toBeLessThan(0.1);
  });
});
