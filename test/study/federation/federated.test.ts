import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LocalTraining } from '../../../models/federation/local-training.js';
import { FESTAG_SELECTION } from '../../../models/federation/selective-sgd.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { originOf, templateDocumentId } from '../../../models/text/corpus/template-id.js';
import {
  ALL,
  type EpochScore,
  type Holders,
  type Procedure,
  runProcedure,
} from '../../../study/federation/federated.js';
import { privateSets } from '../../../study/federation/private-sets.js';
import { toyTexts, toyTraining } from '../../models/federation/toy-texts.js';

const WORKERS = ['a', 'b', 'c'];
const EPOCHS = 3;

beforeEach(async () => void (await useBackend('native')));
afterEach(() => useBackend('cpu'));

function holders(): Holders {
  const sets = WORKERS.map((_, i) => toyTexts(8, i + 1));
  const heldOut = toyTexts(12, 9);
  const holder = (name: string, training: LocalTraining) => ({
    ...{ name, training },
    heldOut: heldOut.map((text) => training.network.read(text)),
  });
  return {
    workers: WORKERS.map((name, i) => holder(name, toyTraining(sets[i] ?? []))),
    central: holder(ALL, toyTraining(sets.flat())),
  };
}

async function run(procedure: Procedure, all = holders(), epochs = EPOCHS): Promise<EpochScore[]> {
  const scores: EpochScore[] = [];
  for await (const score of runProcedure(procedure, all, epochs, new Random(1), {}))
    scores.push(score);
  return scores;
}

const selective = (downloadShare: number): Procedure => ({
  way: 'selective',
  selection: { ...FESTAG_SELECTION, downloadShare },
});

describe('experiments on one split', () => {
  test('one network for all is scored once an epoch, one a worker for each worker', async () => {
    const names = async (procedure: Procedure) =>
      (await run(procedure, holders(), 1)).map(({ worker }) => worker).sort();
    expect(await names({ way: 'central' })).toEqual([ALL]);
    expect(await names({ way: 'round-robin' })).toEqual([ALL]);
    expect(await names({ way: 'averaging' })).toEqual([ALL]);
    expect(await names({ way: 'isolated' })).toEqual(WORKERS);
    expect(await names(selective(0.1))).toEqual(WORKERS);
  });

  test('training in one place learns, and no text or number leaves alone', async () => {
    const scores = await run({ way: 'central' });
    expect(scores.at(-1)?.loss).toBeLessThan((scores[0]?.loss as number) / 2);
    expect(scores.at(-1)?.score.f1).toBeGreaterThan(0.9);
    expect(scores.every(({ bytesUp, bytesDown }) => bytesUp + bytesDown === 0)).toBe(true);
  });

  test('a round robin is one long training, and all workers pass the weights on', async () => {
    const all = holders();
    const scores = await run({ way: 'round-robin' }, all);
    expect(scores.at(-1)?.score.f1).toBeGreaterThan(0.9);
    const size = 4 * (all.workers[0]?.training.weights().length as number);
    expect(scores[0]?.bytesUp).toBe(WORKERS.length * size);
  });

  test('selective SGD uploads its share at most, eight bytes a weight', async () => {
    const all = holders();
    const count = all.workers[0]?.training.weights().length as number;
    const scores = await run(selective(0.5), all);
    expect(scores.every(({ bytesUp }) => bytesUp > 0 && bytesUp <= 8 * Math.round(count / 2))).toBe(
      true,
    );
    expect(scores[0]?.bytesDown).toBe(8 * Math.round(count / 2));
  });

  test('selective SGD that downloads and uploads nothing is isolated training', async () => {
    const [shared, isolated] = [holders(), holders()];
    const nothing = { ...FESTAG_SELECTION, downloadShare: 0, uploadShare: 0 };
    await run({ way: 'selective', selection: nothing }, shared, 1);
    await run({ way: 'isolated' }, isolated, 1);
    const weights = (all: Holders) => all.workers.map(({ training }) => training.weights());
    expect(weights(shared)).toEqual(weights(isolated));
  });

  test('averaging ends a round with the same weights for all, and learns', async () => {
    const scores = await run({ way: 'averaging' }, holders(), 6);
    expect(scores.at(-1)?.score.f1).toBeGreaterThan(0.8);
  });

  test('noise hides the loss, and much of it hides what is learned', async () => {
    const draws = new Random(3);
    const privacy = { learningRate: 0.01, samplingRate: 0.5, clipNorm: 0.1 };
    const [score] = await run(
      { way: 'private-averaging', privacy: { ...privacy, noiseMultiplier: 1 }, draws },
      holders(),
      1,
    );
    expect(score?.loss).toBeNull();
    expect(score?.bytesUp).toBeGreaterThan(0);
  });
});

test('private sets hold every document once, with like lengths', () => {
  const documents = Array.from({ length: 20 }, (_, i) => ({
    ...{ id: `${i}`, spans: [] },
    text: 'x'.repeat(50 + 10 * i),
  }));
  const sets = privateSets(documents, 5, new Random(1));
  expect(
    sets
      .flat()
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b),
  ).toEqual(documents.map((_, i) => i));
  const lengths = sets.map((set) => set.reduce((sum, { text }) => sum + text.length, 0));
  expect(Math.max(...lengths) / Math.min(...lengths)).toBeLessThan(1.5);
});

describe('private sets of documents that belong together', () => {
  const sentences = (templates: number) =>
    Array.from({ length: 24 }, (_, i) => ({
      ...{ id: templateDocumentId(i % templates, i + 1), text: 'x'.repeat(40 + i), spans: [] },
    }));

  test('have no template in common', () => {
    const sets = privateSets(sentences(8), 3, new Random(1));
    const origins = sets.map((set) => new Set(set.map(originOf)));
    expect(sets.flat()).toHaveLength(24);
    expect(origins.reduce((sum, { size }) => sum + size, 0)).toBe(8);
  });

  test('are refused where there are fewer templates than sets', () => {
    expect(() => privateSets(sentences(2), 3, new Random(1))).toThrow(
      expect.objectContaining({
        code: 'corpus-invalid',
        message: expect.stringContaining('3 private sets: found 24 documents of 2 origins'),
      }),
    );
  });
});
