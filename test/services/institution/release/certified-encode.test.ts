import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../../../models/text/document.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import type { Certification } from '../../../../services/institution/release/job/certified-job.js';
import type { BoundSummary } from '../../../../services/institution/release/job/job-bounds.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { accuracyBound } from '../../../../services/institution/release/limits/charge.js';
import { outgoing, WORDS } from '../notes.js';
import { encodingModelOf, type Publisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';
import { inNewHomes } from './in-new-homes.js';

/** Withholds nothing for the sake of the limit. */
const LOOSE: Certification = { limit: 1, neighbours: 3 };

/** `beta` in sentences of their own, each a different one. */
function notesAbout(name: string, from: number, count: number): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `${WORDS.slice(0, 2 + ((from + i) % 3)).join(' ')} ${'zeta '.repeat(from + i)}${name}`;
    const start = text.lastIndexOf(name);
    return { id: `${i}`, text, spans: [{ type: 'PHI', start, end: text.length }] };
  });
}

/** Every note with a name of its own, no two sentences alike. */
function ownNames(): Document[] {
  return WORDS.flatMap((one, first) =>
    WORDS.map((other, second) => {
      const before = 'zeta alpha '.repeat(1 + first) + 'delta '.repeat(second);
      const name = `${one} ${other}`;
      const spans = [{ type: 'PHI', start: before.length, end: before.length + name.length }];
      return { id: name, text: `${before}${name} gamma.`, spans };
    }),
  );
}

/** Names, none of which is a part of another. */
function threeWords(count: number): string[] {
  const all = WORDS.flatMap((one) =>
    WORDS.flatMap((two) => WORDS.map((three) => `${one} ${two} ${three}`)),
  );
  return all.filter((_, i) => i % 4 === 0).slice(0, count);
}

/** One document of several sentences. */
function joined(...notes: readonly Document[]): Document {
  let text = '';
  const spans = notes.flatMap((note) => {
    const from = text.length;
    text += `${note.text}\n\n`;
    return note.spans.map((span) => ({ ...span, start: span.start + from, end: span.end + from }));
  });
  return { id: notes.map(({ id }) => id).join('-'), text, spans };
}

function mean({ squared }: { readonly squared: Float64Array }): number {
  return squared.reduce((sum, value) => sum + value, 0) / squared.length;
}

describe('encoding under a certified limit', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let home: string;
  inNewHomes((setting) => {
    ({ publisher, model, home } = setting);
  });

  const spentOn = async (...words: string[]) => {
    const ledger = await Ledger.openOrMake(home);
    const spent = ledger.entities.spentOn(ledger.key.hashEntity(words).toString('hex'));
    ledger.close();
    return spent;
  };

  test('keeps what was revealed of an entity over several jobs', async () => {
    const totals = [];
    for (const [from, spelling] of [
      [0, 'beta'],
      [3, 'BETA'],
    ] as const) {
      const notes = notesAbout(spelling, from, 3);
      expect(await encodeKept(notes, model, home, { certification: LOOSE })).toMatchObject({
        released: 3,
        withheld: 0,
        entities: 1,
      });
      totals.push(await spentOn('beta'));
    }
    const [first, second] = totals as [(typeof totals)[0], (typeof totals)[0]];
    expect(first?.sentences).toBe(3);
    expect(second?.sentences).toBe(6);
    expect(mean(first)).toBeGreaterThan(0);
    expect(mean(second)).toBeGreaterThan(mean(first));
  });

  test('charges nothing for a sentence that was released before', async () => {
    const notes = notesAbout('beta', 0, 3);
    await encodeKept(notes, model, home, { certification: LOOSE });
    const before = await spentOn('beta');
    expect(await encodeKept(notes, model, home, { certification: LOOSE })).toMatchObject({
      skipped: 3,
      released: 0,
    });
    expect(await spentOn('beta')).toEqual(before);
  });

  test('withholds all PHI under a limit that cannot be met, and releases the rest', async () => {
    const notes = [
      ...notesAbout('beta gamma', 0, 4),
      { id: 'plain', text: 'gamma delta.', spans: [] },
    ];
    const certification = { limit: 0.5001, neighbours: 6 };
    const report = await encodeKept(notes, model, home, { certification });
    expect(report).toMatchObject({ released: 1, withheld: 4, skipped: 0 });
    expect([...(await outgoing(home)).values()].flat()[0]?.labels).toHaveLength(3);
    expect((await spentOn('beta', 'gamma')).sentences).toBe(0);
  });

  test('keeps to the cap when two jobs run at the same time', async () => {
    const certification = { ...LOOSE, maxSentencesPerEntity: 4 };
    const other = await encodingModelOf(publisher);
    await Promise.all([
      encodeKept(notesAbout('beta', 0, 4), model, home, { certification, segmentBytes: 100 }),
      encodeKept(notesAbout('beta', 4, 4), other, home, { certification, segmentBytes: 100 }),
    ]);
    expect((await spentOn('beta')).sentences).toBe(4);
  });

  test('judges jobs that run at the same time one after another', async () => {
    const notesOf = (part: number) =>
      threeWords(48).map((name, i) => {
        const before = `${WORDS.slice(0, 1 + part).join(' ')} ${'delta '.repeat(i % 8)}`;
        const spans = [{ type: 'PHI', start: before.length, end: before.length + name.length }];
        return { id: `${i}`, text: `${before}${name} gamma.`, spans };
      });
    const [first, second] = [notesOf(0), notesOf(1)];
    const certified = (limit: number) => ({ certification: { limit, neighbours: 3 } });
    const dry = async (notes: Document[]) =>
      (await encodeKept(notes, model, home, { ...certified(1), dryRun: true })).bounds?.entities
        .before as BoundSummary;
    // Either job alone is under it, and both together are over.
    const alone = Math.max((await dry(first)).maximum, (await dry(second)).maximum);
    expect((await dry([...first, ...second])).percentile95).toBeGreaterThan(alone);
    const other = await encodingModelOf(publisher);
    const reports = await Promise.all([
      encodeKept(first, model, home, { ...certified(alone), segmentBytes: 200 }),
      encodeKept(second, other, home, { ...certified(alone), segmentBytes: 200 }),
    ]);
    const released = reports.map((report) => report.released).sort((a, b) => a - b);
    expect(released).toEqual([0, first.length]);
  });

  test('is refused for a ledger that holds uncertified releases', async () => {
    await encodeKept(notesAbout('beta', 0, 1), model, home);
    await expect(
      encodeKept(notesAbout('beta', 1, 1), model, home, { certification: LOOSE }),
    ).rejects.toMatchObject({ code: 'history-uncertified' });
  });

  test.each([
    ['a type that is open', ownNames(), { limit: 0.98 }, 36],
    [
      'one in many sentences, under a cap',
      [...ownNames(), ...notesAbout('beta', 0, 12)],
      { limit: 1, maxSentencesPerEntity: 5 },
      6,
    ],
  ])('withholds the same however often it is asked: %s', async (_, notes, limits, least) => {
    const certification = { ...LOOSE, ...limits };
    const plain = { id: 'plain', text: 'gamma delta.', spans: [] };
    const first = await encodeKept([...notes, plain], model, home, { certification });
    expect(first.released).toBeGreaterThan(0);
    expect(first.withheld).toBeGreaterThanOrEqual(least);
    for (let again = 0; again < 3; again++)
      expect(await encodeKept([...notes, plain], model, home, { certification })).toMatchObject({
        released: 0,
        withheld: first.withheld,
      });
  });

  test('states the bounds of entities and documents that the ledger comes to', async () => {
    // Two names in each document, and a third in a sentence that was released before.
    const names = ownNames().map(({ id }) => id);
    const [known = ''] = names;
    const all = ownNames();
    const notes = Array.from({ length: all.length / 2 }, (_, i) =>
      joined(...all.slice(2 * i, 2 * i + 2), all[0] as Document),
    );
    const named = notes.map((_, i) => [...names.slice(2 * i, 2 * i + 2), known]);
    notes.push({ id: 'none', text: 'alpha zeta.', spans: [] });
    await encodeKept(all.slice(0, 1), model, home, { certification: LOOSE });
    const limit = 0.8;
    const less = { certification: { ...LOOSE, limit }, dryRun: true };
    const lesser = await encodeKept(notes, model, home, less);
    const { bounds } = await encodeKept(notes, model, home, { certification: LOOSE });

    const revealed = async (name: string) => accuracyBound(await spentOn(...name.split(' ')));
    const summary = (values: readonly number[], limit: number) => {
      const sorted = [...values].sort((a, b) => a - b);
      const at = (q: number) => expect.closeTo(sorted[Math.floor(q * sorted.length)] as number, 5);
      const maximum = expect.closeTo(Math.max(...values), 5);
      const quantiles = {
        median: at(0.5),
        percentile95: at(0.95),
        percentile99: at(0.99),
        maximum,
      };
      return { ...quantiles, count: values.length, over: values.filter((v) => v > limit).length };
    };
    const ofEntities = new Map<string, number>();
    for (const name of names) ofEntities.set(name, await revealed(name));
    const ofDocuments = named.map((own) => own.map((name) => ofEntities.get(name) ?? 0));
    const worst = ofDocuments.map((own) => Math.max(...own));
    expect(bounds).toMatchObject({ withheldTypes: [], told: 0 });
    expect(bounds?.entities.after).toEqual(summary([...ofEntities.values()], 1));
    expect(bounds?.documents.after).toEqual(summary(worst, 1));
    expect(lesser.bounds?.withheldTypes).toEqual(['PHI']);
    for (const what of ['entities', 'documents'] as const) {
      const before = lesser.bounds?.[what].before;
      expect(before).toEqual({ ...bounds?.[what].before, over: before?.over });
      expect(before?.over).toBeGreaterThan(0);
    }
  });

  test('is kept to: uncertified jobs and higher limits are refused afterwards', async () => {
    const strict = { ...LOOSE, limit: 0.9999999 };
    const plain = { id: 'plain', text: 'gamma delta.', spans: [] };
    const first = [...notesAbout('beta', 0, 3), plain];
    expect(await encodeKept(first, model, home, { certification: strict })).toMatchObject({
      released: 1,
    });
    const more = notesAbout('beta', 3, 1);
    for (const certification of [undefined, LOOSE])
      await expect(encodeKept(more, model, home, { certification })).rejects.toMatchObject({
        code: 'bounds-laxer',
        message: expect.stringMatching(/certifiedLimit is 0.9999999 or lower/),
      });
    expect(await encodeKept(more, model, home, { certification: strict })).toMatchObject({
      released: 0,
      withheld: 1,
    });
  });

  test('is refused for notes without any entity, which may be notes that nobody annotated', async () => {
    const notes = notesAbout('beta', 0, 3).map((note) => ({ ...note, spans: [] }));
    for (const dryRun of [true, false])
      await expect(
        encodeKept(notes, model, home, { certification: LOOSE, dryRun }),
      ).rejects.toMatchObject({ code: 'entities-missing' });
    expect((await outgoing(home)).size).toBe(0);
  });

  test('a dry run counts and releases nothing', async () => {
    const options = { certification: LOOSE, dryRun: true };
    expect(await encodeKept(notesAbout('beta', 0, 3), model, home, options)).toMatchObject({
      releasable: 3,
      released: 0,
      skipped: 0,
    });
    expect((await spentOn('beta')).sentences).toBe(0);
    expect((await outgoing(home)).size).toBe(0);
  });

  test('a job of fewer documents than the policy asks for is refused', async () => {
    await expect(
      encodeKept(notesAbout('beta', 0, 3), model, home, { minDocuments: 4 }),
    ).rejects.toMatchObject({ code: 'documents-too-few' });
  });
});
