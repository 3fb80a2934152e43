import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Attack, type AttackReport, conduct } from '../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../models/attacks/baseline-views.js';
import { inversion } from '../../../models/attacks/inversion.js';
import { linkPairs } from '../../../models/attacks/link-pairs.js';
import { linkage } from '../../../models/attacks/linkage.js';
import { lookupTable } from '../../../models/attacks/lookup-table.js';
import { beatsChance } from '../../../models/attacks/verdict.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
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

describe('inversion', () => {
  test('reads every word out of raw embeddings', async () => {
    const [phi, other] = await attacked(small, { view: rawEmbeddings });
    expect(phi.success.value).toBeGreaterThan(0.95);
    expect(other.success.value).toBeGreaterThan(0.95);
    expect(phi.topTen?.value).toBeGreaterThan(0.99);
  });

  test('reads no name out of pure noise', async () => {
    const [phi] = await attacked(small, { view: pureNoise });
    expect(beatsChance({ ...phi, chance: Math.max(phi.chance, 1 / 6) })).toBe(false);
  });
});

describe('the lookup table', () => {
  const attack = lookupTable({ sentences: 10 });

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
    expect(beatsChance(report)).toBe(false);
    expect(report.pairs?.auc).toBeCloseTo(0.5, 0);
  });

  test('is asked about pairs that neither label nor document gives away', async () => {
    const { test: examples } = await toyTarget();
    const pairs = linkPairs(examples, 100, new Random(1));
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
