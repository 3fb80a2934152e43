import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Attack, type AttackReport, conduct } from '../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../models/attacks/baseline-views.js';
import { inversion } from '../../../models/attacks/inversion/inversion.js';
import { linkPairs } from '../../../models/attacks/linkage/link-pairs.js';
import { linkage } from '../../../models/attacks/linkage/linkage.js';
import { lookupTable } from '../../../models/attacks/linkage/lookup-table.js';
import { beatsChance } from '../../../models/attacks/report/guessing.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { type ToyOptions, toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

async function attacked(attack: Attack, options: ToyOptions): Promise<AttackReport[]> {
  const target = await toyTarget({ sentences: [160, 40, 120], ...options });
  const random = new Random(4);
  return conduct(attack, target, { random, comparisons: 1, trials: [], distances: [] });
}

const limits = { maxEpochs: 12, patience: 12 };
const small = inversion({ units: 8, limits: { maxEpochs: 60, patience: 60 } });

/** The notes with a name that the place of its label gives away. */
function inOrder({ train, validation, test, vocabulary }: AuditTarget) {
  const names = ['berta', 'carla', 'david'].map((name) => vocabulary.idOf(name));
  const told = (example: TextExample): TextExample => {
    const nameAt = (t: number) => names[Math.min(t, names.length - 1)];
    const ids = example.ids.map((id, t) => (example.labels[t] > 0 ? nameAt(t) : id));
    return { ...example, ids };
  };
  return { train: train.map(told), validation: validation.map(told), test: test.map(told) };
}

describe('inversion', () => {
  test('reads every word out of raw embeddings', async () => {
    const [phi, other] = await attacked(small, { view: rawEmbeddings });
    expect(phi.success.value).toBeGreaterThan(0.95);
    expect(other.success.value).toBeGreaterThan(0.95);
    expect(phi.topTen?.value).toBeGreaterThan(0.99);
  });

  test('may answer with any name, though there are more words than it may answer with', async () => {
    const target = await toyTarget({ sentences: [160, 40, 120], view: rawEmbeddings });
    const rare = ['emil', 'gustav'].map((name) => target.vocabulary.idOf(name));
    const train = target.train.filter(({ ids }) => !ids.some((id) => rare.includes(id)));
    const limits = { maxEpochs: 2, patience: 2 };
    const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
    const attack = inversion({ units: 8, words: 8, limits });
    const [phi, other] = await conduct(attack, { ...target, train }, context);
    expect(phi.topTen?.value).toBe(1);
    expect(other.topTen?.value).toBeLessThan(0.5);
  });

  test('reads out of pure noise what labels tell, and no more', async () => {
    for (const report of await attacked(small, { view: pureNoise })) {
      expect(beatsChance(report, { comparisons: 1 })).toBe(false);
      expect(report.chance).toBeGreaterThan(0.1);
    }
  });

  test('is compared with guessing that knows what the order of labels tells', async () => {
    const target = await toyTarget({ sentences: [160, 40, 120], view: pureNoise });
    const told = { ...target, ...inOrder(target) };
    const random = new Random(4);
    const context = { random, comparisons: 1, trials: [], distances: [] };
    const [phi] = await conduct(small, told, context);
    // By label alone one name in three is guessed; the one before it tells which.
    expect(phi.chance).toBeGreaterThan(0.9);
    expect(phi.success.value).toBeGreaterThan(0.8);
    expect(beatsChance(phi, { comparisons: 1 })).toBe(false);
  });
});

describe('the lookup table', () => {
  const attack = lookupTable({ sentences: 10 });

  test('is not tried where labels alone tell every sentence', async () => {
    const target = await toyTarget();
    const told = target.test.map((example, i) => ({
      ...example,
      labels: example.labels.map((_, t) => (i >> (2 * t)) & 3),
    }));
    const long = told.filter(({ ids }) => ids.length > 4);
    expect(attack.obstacle?.(target)).toBeUndefined();
    expect(attack.obstacle?.({ ...target, test: long })).toContain('lookup table');
  });

  test('finds every sentence in raw embeddings', async () => {
    const [report] = await attacked(attack, { view: rawEmbeddings });
    expect(report.success.value).toBe(1);
    expect(report.chance).toBeLessThan(0.3);
  });

  test('finds sentences in pure noise as often as by guessing', async () => {
    const [report] = await attacked(attack, { view: pureNoise });
    expect(report.success.interval[0]).toBeLessThanOrEqual(report.chance);
    expect(report.success.interval[1]).toBeGreaterThanOrEqual(report.chance);
  });
});

describe('linkage', () => {
  const attack = linkage({ couples: 200, limits });

  test('sees every name again in raw embeddings', async () => {
    const [report] = await attacked(attack, { view: rawEmbeddings });
    expect(report.success.value).toBeGreaterThan(0.97);
  });

  test('sees nothing in pure noise', async () => {
    const [report] = await attacked(attack, { view: pureNoise });
    expect(beatsChance(report, { comparisons: 1 })).toBe(false);
    expect(report.pairs?.auc).toBeCloseTo(0.5, 0);
  });

  test('says that it cannot be tried where names of a part of the notes stand in one sentence each', async () => {
    const target = await toyTarget();
    expect(attack.obstacle?.(target)).toBeUndefined();
    for (const part of ['train', 'validation', 'test'] as const) {
      const once = { ...target, [part]: target[part].slice(0, 1) };
      expect(attack.obstacle?.(once)).toContain('hardly any name stands in two sentences');
    }
  });

  test('is asked about pairs that neither label nor document gives away', async () => {
    const target = await toyTarget();
    const { test: examples } = target;
    const pairs = linkPairs(examples, 100, new Random(1), target);
    expect(pairs.length).toBe(200);
    for (let i = 0; i < pairs.length; i += 2) {
      const [match, stranger] = [pairs[i], pairs[i + 1]];
      expect([match.same, stranger.same]).toEqual([true, false]);
      expect(match.one).toBe(stranger.one);
      for (const { one, other, same } of [match, stranger]) {
        expect(one.example).not.toBe(other.example);
        expect(other.example.labels[other.position]).toBe(one.example.labels[one.position]);
        expect(other.example.ids[other.position] === one.example.ids[one.position]).toBe(same);
      }
      const near = ({ one, other }: typeof match) =>
        one.example.documentIndex === other.example.documentIndex;
      expect(near(match)).toBe(near(stranger));
    }
  });
});
