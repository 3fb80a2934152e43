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
import type { TextExample } from '../../../../models/training/data/examples.js';
import { piecesOfAll } from '../../certification/pieces-of-all.js';
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

/** As if sentences had been cut until `least` notes have the labels of each piece. */
function cutTo(least: number) {
  return (target: AuditTarget): AuditTarget => {
    const { test, replaced } = target;
    const sentences = test.map(({ labels, documentIndex: document }) => ({ labels, document }));
    const found = piecesOfAll(sentences, least, () => replaced === undefined);
    const pieces = new Map(test.map((example, i) => [example, found[i]]));
    const leftWhole = ({ labels }: TextExample, i: number) =>
      found[i].reduce((sum, { start, end }) => sum + end - start, 0) === labels.length;
    return {
      ...target,
      pieces,
      test: test.filter(leftWhole),
      unreleased: test.filter((example, i) => !leftWhole(example, i)),
    };
  };
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

  test('is not tried where entities were replaced and no other note has any', async () => {
    const target = await notes({});
    const isBare = ({ labels }: TextExample) => labels.every((label) => label === 0);
    const train = target.train.filter((each) => each.documentIndex % 2 === 1 || isBare(each));
    expect(attack.obstacle?.(masked({ ...target, train }))).toContain(
      'no other note has an entity',
    );
    expect(attack.obstacle?.({ ...target, train })).toBeUndefined();
    expect(attack.obstacle?.(masked(target))).toBeUndefined();
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

describe('confirming it by pieces of sentences', () => {
  test('finds sentences and notes in raw vectors', async () => {
    const reports = await attacked({ view: rawEmbeddings }, cutTo(2));
    expect(rate(reports, 'confirm-sentence')).toBeGreaterThan(0.9);
    expect(rate(reports, 'confirm-sentence-vectors')).toBeGreaterThan(0.9);
    expect(rate(reports, 'confirm-note')).toBe(1);
    expect(reports.get('confirm-sentence')?.settings.pieces).toBeGreaterThan(960);
    expect(reports.get('confirm-sentence-vectors')?.description).toContain('pieces');
  });

  test('finds notes whose entities it does not know', async () => {
    const change = (target: AuditTarget) => cutTo(2)(masked(target));
    const reports = await attacked({ view: rawEmbeddings }, change);
    expect(rate(reports, 'confirm-note')).toBeGreaterThan(0.5);
  });

  test('finds sentences by what f makes of them whole', async () => {
    const reports = await attacked({ inputStddev: 0, outputStddev: 0.01 }, cutTo(5));
    expect(rate(reports, 'confirm-sentence-vectors')).toBeGreaterThan(0.9);
  });

  test('learns nothing from vectors that hold nothing', async () => {
    for (const change of [cutTo(5), (target: AuditTarget) => cutTo(5)(masked(target))]) {
      const reports = await attacked({ view: pureNoise }, change);
      for (const held of ['sentence', 'note']) {
        const vectors = reports.get(`confirm-${held}-vectors`);
        expect(vectors && beatsChance(vectors, CONTEXT)).toBe(false);
      }
    }
  });

  test('recognises fewer notes by labels than if sentences were whole', async () => {
    const whole = await attacked({ view: pureNoise });
    const cut = await attacked({ view: pureNoise }, cutTo(12));
    expect(rate(whole, 'confirm-note-labels')).toBeGreaterThan(0.5);
    expect(rate(cut, 'confirm-note-labels')).toBeLessThan(0.2);
  });

  test('takes each sentence for cut as it was, whether entities are known or not', async () => {
    const target = await notes({});
    for (const cut of [12, 60].flatMap((least) => [
      cutTo(least)(target),
      cutTo(least)(masked(target)),
    ])) {
      const sentences = heldNotes(cut, 300).notes.flatMap((note) =>
        note.contributed ? note.sentences : [],
      );
      expect(sentences.length).toBeGreaterThan(500);
      for (const { example, pieces } of sentences) expect(pieces).toEqual(cut.pieces?.get(example));
    }
  });

  test('looks for what left of a sentence that did not leave whole', async () => {
    const target = cutTo(60)(await notes({}));
    const { contributed, notes: all } = heldNotes(target, 300);
    const ids = new Set(contributed.map((example) => `${example.ids}`));
    const inPart = (target.unreleased ?? []).filter((each) => target.pieces?.get(each)?.length);
    expect(inPart.length).toBeGreaterThan(0);
    for (const example of inPart) expect(ids.has(`${example.ids}`)).toBe(true);
    const nothing = all.flatMap((note) => note.sentences).filter((each) => !each.pieces.length);
    expect(nothing.length).toBeGreaterThan(0);
    for (const { example } of nothing) expect(ids.has(`${example.ids}`)).toBe(false);
  });
});
