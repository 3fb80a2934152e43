import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { inversion } from '../../../../models/attacks/inversion/inversion.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { toyContext, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const limits = { maxEpochs: 1, patience: 1 };

async function inverted(sentences: number | undefined, count: number) {
  const target = await toyTarget({ sentences: [count, 20, count] });
  const attack = inversion({ units: 3, limits, ...(sentences && { sentences }) });
  const { unseen, sighted } = await attack.prepare(target, await toyContext(target));
  const reports = await conduct(attack, target, await toyContext(target));
  return { target, unseen, learned: sighted.target.train, reports };
}

describe('inversion', () => {
  test('learns from all notes, however many there are, and is measured on all', async () => {
    const { target, unseen, learned, reports } = await inverted(undefined, 2400);
    expect([learned, unseen]).toEqual([target.train, target.test]);
    for (const { settings } of reports)
      expect(settings).toMatchObject({ notesLearnedFrom: 600, sentencesLearnedFrom: 2400 });
  });

  test('draws of both some notes whole by chance where it is to take few, and says how many', async () => {
    const { target, unseen, learned, reports } = await inverted(40, 400);
    for (const [some, all] of [
      [learned, target.train],
      [unseen, target.test],
    ] as const) {
      const indices = new Set(some.map(({ documentIndex }) => documentIndex));
      expect(some).toEqual(all.filter(({ documentIndex }) => indices.has(documentIndex)));
      expect(some).toHaveLength(40);
      expect(Math.max(...indices)).toBeGreaterThan(20);
    }
    for (const { settings } of reports)
      expect(settings).toMatchObject({ notesLearnedFrom: 10, sentencesLearnedFrom: 40 });
  });
});
