import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AttackReport, conduct } from '../../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { confirmation } from '../../../../models/attacks/confirmation/confirmation.js';
import { heldNotes } from '../../../../models/attacks/confirmation/held-notes.js';
import type { ReplacedEntity } from '../../../../models/attacks/replaced-entity.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import type { AuditTarget } from '../../../../models/attacks/target.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import type { TextExample } from '../../../../models/training/examples.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const attack = confirmation({ draws: 2 });
const CONTEXT = { comparisons: 1, trials: [], distances: [] };

/** Notes of 16 sentences, so that a note has some that no other has. */
async function notes(options: ToyOptions): Promise<AuditTarget> {
  const target = await toyTarget({ sentences: [1600, 320, 960], ...options });
  const longer = (examples: readonly TextExample[]) =>
    examples.map((each) => ({ ...each, documentIndex: each.documentIndex >> 2 }));
  const [train, validation, test] = [target.train, target.validation, target.test].map(longer);
  return { ...target, train, validation, test };
}

/** As if each sentence's names had been drawn for others. */
function masked(target: AuditTarget): AuditTarget {
  const replaced = new Map<TextExample, readonly ReplacedEntity[]>(
    [...target.train, ...target.validation, ...target.test].map((example) => [example, []]),
  );
  return { ...target, replaced };
}

async function attacked(options: ToyOptions, change = (target: AuditTarget) => target) {
  const target = change(await notes(options));
  const reports = await conduct(attack, target, { ...CONTEXT, random: new Random(4) });
  return new Map(reports.map((report) => [report.name, report]));
}

const rate = (reports: ReadonlyMap<string, AttackReport>, name: string) =>
  reports.get(name)?.success.value ?? Number.NaN;

describe('confirming that a held sentence or note was contributed', () => {
  test('finds each in raw vectors, and few by what is shared in clear', async () => {
    const reports = await attacked({ view: rawEmbeddings });
    expect(rate(reports, 'confirm-sentence')).toBeGreaterThan(0.95);
    expect(rate(reports, 'confirm-sentence-vectors')).toBeGreaterThan(0.95);
    expect(rate(reports, 'confirm-sentence-lengths')).toBeLessThan(0.1);
    expect(rate(reports, 'confirm-note-vectors')).toBe(1);
    expect(reports.get('confirm-sentence')?.pairs?.blind?.truePositivesAt1Percent).toBeLessThan(
      0.5,
    );
  });

  test('knows no more than labels and lengths tell where vectors hold nothing', async () => {
    const reports = await attacked({ view: pureNoise });
    for (const held of ['sentence', 'note']) {
      const vectors = reports.get(`confirm-${held}-vectors`);
      expect(vectors && beatsChance(vectors, CONTEXT)).toBe(false);
      expect(vectors?.pairs?.auc).toBeGreaterThan(0.35);
      expect(vectors?.pairs?.auc).toBeLessThan(0.65);
    }
  });

  test('recognises sentences whose entities it does not know by the words around them', async () => {
    const reports = await attacked({ view: rawEmbeddings }, masked);
    expect(reports.get('confirm-sentence')?.settings.masked).toBe(true);
    expect(rate(reports, 'confirm-sentence')).toBeGreaterThan(0.25);
    expect(rate(reports, 'confirm-note')).toBeGreaterThan(0.5);
    const nothing = await attacked({ view: pureNoise }, masked);
    const vectors = nothing.get('confirm-sentence-vectors');
    expect(vectors && beatsChance(vectors, CONTEXT)).toBe(false);
  });

  test('says which false alarm rates it had enough notes for', async () => {
    const reports = await attacked({});
    const settings = (name: string) => reports.get(name)?.settings ?? {};
    expect(settings('confirm-sentence').resolves1Percent).toBe(true);
    expect(settings('confirm-sentence').resolves01Percent).toBe(
      Number(settings('confirm-sentence').notContributed) >= 1000,
    );
    expect(reports.get('confirm-note')?.description).toContain(
      'of the 70 that were not, too few to resolve 1 % and 0.1 %',
    );
    expect(settings('confirm-note')).toMatchObject({
      notContributed: 70,
      falseAlarms: 0,
      resolves1Percent: false,
      resolves01Percent: false,
    });
  });

  test('needs no population with sentences as long as those that it holds', async () => {
    const reports = await attacked({ view: rawEmbeddings }, (target) => ({
      ...target,
      train: target.train.filter(({ ids, documentIndex }) => documentIndex % 2 || ids.length < 5),
    }));
    expect(rate(reports, 'confirm-sentence-vectors')).toBeGreaterThan(0.95);
  });

  test('gives the same reports for the same seed', async () => {
    expect([...(await attacked({}))]).toEqual([...(await attacked({}))]);
  });

  test('looks at sentences of one length where time is up, and says of how many', async () => {
    const context = { ...CONTEXT, random: new Random(4), expired: () => true };
    const [report] = await conduct(attack, await notes({}), context);
    expect(report.shortened).toMatch(/^\d+ of \d+ sentences$/);
    expect(report.slices.filter(({ by }) => by === 'length').length).toBeLessThanOrEqual(1);
  });

  test('is not tried on too few notes', async () => {
    const target = await notes({});
    expect(attack.obstacle?.(target)).toBeUndefined();
    const few = target.test.map((example) => ({ ...example, documentIndex: 0 }));
    expect(attack.obstacle?.({ ...target, test: few })).toContain('fewer than 5 notes');
  });
});

test('a held note has all of its sentences, those too that nothing was released of', async () => {
  const target = await notes({});
  const [first] = target.test;
  const released = target.test.filter((each) => `${each.ids}` !== `${first.ids}`);
  const unreleased = target.test.filter((each) => !released.includes(each));
  const held = heldNotes({ ...target, test: released, unreleased }, 300);
  const keys = (contributed: boolean) =>
    held.notes
      .filter((note) => note.contributed === contributed)
      .flatMap(({ sentences }) => sentences.map(({ key }) => key));
  const [{ key }] = heldNotes({ ...target, test: [first] }, 300).notes[0].sentences;
  expect(keys(true)).toContain(key);
  expect(held.contributedKeys.has(key)).toBe(false);
  expect(held.contributed.length).toBe(held.contributedKeys.size);
});
