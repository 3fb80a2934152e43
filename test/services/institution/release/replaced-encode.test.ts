import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../models/surrogates/create-inventory.js';
import { Inventory } from '../../../../models/surrogates/inventory.js';
import type { Document } from '../../../../models/text/document.js';
import { createLabelScheme } from '../../../../models/text/label-scheme.js';
import { openDatabase } from '../../../../platform/sqlite/database.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger.js';
import { readReleases, releaseName } from '../../../../services/institution/release/release-map.js';
import type {
  SecondReader,
  SuspectTreatment,
} from '../../../../services/institution/release/second-reader.js';
import { outgoing, WORDS } from '../notes.js';
import { TO_9, toVersion9 } from './earlier-ledger.js';
import { encodeKept } from './encode-kept.js';
import { encodeWhole } from './encode-whole.js';
import { inNewHomes } from './in-new-homes.js';

/** A line of a form that all notes have, and a sentence that no other `day` has. */
function note(name: string, day: number): Document {
  const form = `Name ${name}.`;
  const words = [0, 1, 2].map((t) => WORDS[(day + t * t) % WORDS.length]);
  const text = `${form}\n\nSeen ${words.join(' ')}.`;
  return { id: `${name}-${day}`, text, spans: [{ type: 'PHI', start: 5, end: 5 + name.length }] };
}

describe('encoding with entities replaced', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ model, home, newHome } = setting);
  });

  const only = async (word: string) =>
    createInventory(model.scheme, { lists: [{ name: 'one', type: 'PHI', text: word }] });

  /** Hashes of the words of every sentence that was released. */
  const released = async () => {
    const ledger = await Ledger.open(home);
    const found = await readReleases(home, ledger.key);
    const { vocabulary } = model;
    const isReleased = (...words: string[]) => {
      const ids = Int32Array.from(words, (word) => vocabulary.idOf(word));
      return found.has(releaseName(ids, vocabulary, ledger.key));
    };
    ledger.close();
    return isReleased;
  };

  test('encodes another entity in the place of each labelled one', async () => {
    const inventory = await only('beta');
    const report = await encodeWhole([note('delta', 1)], model, home, { inventory, keepMap: true });
    expect(report).toMatchObject({
      ...{ entityTreatment: 'replaced', replaced: 1, released: 2 },
      inventory: new Inventory(inventory).digest,
    });
    const isReleased = await released();
    expect(isReleased('Name', 'beta', '.')).toBe(true);
    expect(isReleased('Name', 'delta', '.')).toBe(false);
  });

  test('releases a note once, whatever its entities are', async () => {
    expect(await encodeWhole([note('delta', 1)], model, home)).toMatchObject({ released: 2 });
    expect(await encodeWhole([note('epsilon zeta', 1)], model, home)).toMatchObject({
      released: 0,
      skipped: 2,
    });
    expect(await encodeWhole([note('delta', 2)], model, home)).toMatchObject({ released: 2 });
  });

  test('takes a note whose text or labels were changed for another, of which what has an entity leaves again', async () => {
    const unlabelled = { ...note('delta', 1), spans: [] };
    expect(await encodeWhole([note('delta', 1)], model, home)).toMatchObject({ released: 2 });
    const changed = { ...note('delta', 1), text: `${note('delta', 1).text}\n\nSeen.` };
    expect(await encodeWhole([changed], model, home)).toMatchObject({ released: 2, alike: 1 });
    expect(await encodeWhole([unlabelled], model, home)).toMatchObject({ released: 1, alike: 1 });
  });

  test('lets what has an entity leave no second time from a changed note where one alike is the most', async () => {
    const options = { maxAlike: 1 };
    expect(await encodeWhole([note('delta', 1)], model, home, options)).toMatchObject({
      released: 2,
    });
    const changed = { ...note('delta', 1), text: `${note('delta', 1).text}\n\nSeen.` };
    expect(await encodeWhole([changed], model, home, options)).toMatchObject({
      released: 1,
      alike: 2,
    });
  });

  test('releases a note once, whatever label scheme or inventory another job has', async () => {
    const once = { ...note('delta', 1), text: 'Name delta. Seen delta by gamma.' };
    const spans = [...once.spans, { type: 'PHI', start: 17, end: 22 }];
    const notes = [{ ...once, spans }];
    expect(await encodeWhole(notes, model, home)).toMatchObject({ released: 2 });
    const { scheme: own } = model;
    const scheme = createLabelScheme({
      name: 'names',
      version: '1',
      types: ['NAME'],
      map: { PHI: 'NAME' },
    });
    const lists = [{ name: 'one', type: 'NAME', text: 'beta' }];
    const inventory = new Inventory(await createInventory(scheme, { lists }));
    const renamed = { ...model, scheme, inventory };
    expect(await encodeWhole(notes, renamed, home)).toMatchObject({ released: 0, skipped: 2 });
    const longer = [{ name: 'long', type: 'PHI', text: 'Beta. Alpha beta. Gamma' }];
    const other = await createInventory(own, { lists: longer });
    const report = await encodeWhole(notes, model, home, { inventory: other });
    expect(report).toMatchObject({ released: 0, skipped: report.sentences });
    expect(report.sentences).toBeGreaterThan(2);
  });

  test('releases a note once, whatever format of file it stands in', async () => {
    const plain = note('delta', 1);
    // As columns have it: words apart, sentences stated, and a name parted in two.
    const text = plain.text
      .replace('delta', 'del ta')
      .replace(/\s*\n+\s*/g, '\n')
      .replaceAll('.', ' .');
    const spans = [
      { type: 'PHI', start: 5, end: 8 },
      { type: 'PHI', start: 9, end: 11 },
    ];
    const columns = { ...plain, text, spans, sentences: [0, text.indexOf('\n') + 1] };
    const report = await encodeWhole([plain, columns], model, home);
    expect(report).toMatchObject({ documents: 2, released: 2, skipped: 2 });
    for (const each of [plain, columns])
      expect(await encodeWhole([each], model, home)).toMatchObject({ released: 0, skipped: 2 });
    const other = newHome();
    expect(await encodeWhole([columns], model, other)).toMatchObject({ released: 2 });
    expect(await encodeWhole([plain], model, other)).toMatchObject({ released: 0, skipped: 2 });
  });

  test('releases a note once, whether or not a scheme calls a type of it PHI', async () => {
    const plain = note('delta', 1);
    const start = plain.text.indexOf('Seen ') + 5;
    const place = { type: 'PLACE', start, end: plain.text.indexOf(' ', start) };
    const document = { ...plain, spans: [...plain.spans, place] };
    const models = await Promise.all(
      [null, 'PHI'].map(async (PLACE) => {
        const scheme = createLabelScheme({
          name: 's',
          version: '1',
          types: ['PHI'],
          map: { PLACE },
        });
        const lists = [{ name: 'one', type: 'PHI', text: 'beta' }];
        return {
          ...model,
          scheme,
          inventory: new Inventory(await createInventory(scheme, { lists })),
        };
      }),
    );
    for (const [own, other] of [models, [...models].reverse()]) {
      home = newHome();
      expect(await encodeWhole([document], own as EncodingModel, home)).toMatchObject({
        released: 2,
      });
      expect(await encodeWhole([document], other as EncodingModel, home)).toMatchObject({
        released: 0,
        skipped: 2,
      });
    }
  });

  test('knows what earlier versions released, by the names that they had for it', async () => {
    const notes = [0, 1, 2].map((i) => note(WORDS[i] as string, i));
    const stated = notes.map((each) => ({ ...each, sentences: [0, each.text.indexOf('Seen')] }));
    const bounds = { maxAlike: 4, maxReleases: 9 };
    await encodeWhole(stated, model, home, bounds);
    toVersion9(home, stated, model);
    const other = await only('Beta. Gamma');
    expect(await encodeWhole(stated, model, home, { ...bounds, inventory: other })).toMatchObject({
      released: 0,
      skipped: 6,
    });
    // Three of the form have left: one more may.
    const more = [3, 4, 5].map((i) => note(WORDS[i] as string, i));
    expect(await encodeWhole(more, model, home, bounds)).toMatchObject({ released: 4, alike: 2 });
  });

  test('releases as many that are alike, however schemes number types', async () => {
    const numbered = async (...types: string[]) => {
      const scheme = createLabelScheme({ name: types.join(), version: '1', types, map: {} });
      const lists = types.map((type) => ({ name: type, type, text: 'beta' }));
      return {
        ...model,
        scheme,
        inventory: new Inventory(await createInventory(scheme, { lists })),
      };
    };
    const [first, second] = [await numbered('PHI', 'PLACE'), await numbered('PLACE', 'PHI')];
    const notes = [0, 1, 2, 3].map((i) => note(WORDS[i] as string, i));
    const options = { maxAlike: 2 };
    const report = await encodeWhole(notes.slice(0, 2), first, home, options);
    expect(report).toMatchObject({ released: 4, alike: 0 });
    expect(await encodeWhole(notes.slice(2), second, home, options)).toMatchObject({
      released: 2,
      alike: 2,
    });
  });

  test('keeps to a second reader once one kept anything back or replaced it', async () => {
    const readerThat = (treatment: SuspectTreatment): SecondReader => ({
      treatment,
      find: async (text) => {
        const start = text.indexOf('Seen ') + 5;
        return [{ type: 'PHI', start, end: text.indexOf(' ', start) }];
      },
    });
    const [first, second] = [note('delta', 1), note('delta', 2)];
    await encodeWhole([first], model, home, { reader: readerThat('report') });
    for (const treatment of ['withhold', 'replace'] as const) {
      home = newHome();
      await encodeWhole([first], model, home, { reader: readerThat(treatment) });
      for (const reader of [undefined, readerThat('report')])
        await expect(encodeWhole([second], model, home, { reader })).rejects.toMatchObject({
          code: 'bounds-laxer',
          message: expect.stringContaining('--reader'),
        });
      for (const other of ['withhold', 'replace'] as const) {
        const options = { reader: readerThat(other) };
        // Of what left, nothing leaves again that was kept back.
        expect(await encodeWhole([first], model, home, options)).toMatchObject({ released: 0 });
      }
    }
  });

  test('keeps to a second reader also where it kept all there was back', async () => {
    const all: SecondReader = {
      treatment: 'withhold',
      find: async (text) => [{ type: 'PHI', start: text.indexOf('Seen '), end: text.length - 1 }],
    };
    const seen = { id: 'seen', text: 'Seen alpha beta.', spans: [] };
    const held = { released: 0, suspects: { sentences: 1 } };
    const dry = { reader: all, dryRun: true };
    expect(await encodeWhole([seen], model, home, dry)).toMatchObject(held);
    expect(await encodeWhole([note('delta', 1)], model, home)).toMatchObject({ released: 2 });
    home = newHome();
    expect(await encodeWhole([seen], model, home, { reader: all })).toMatchObject(held);
    await expect(encodeWhole([seen], model, home)).rejects.toMatchObject({ code: 'bounds-laxer' });
  });

  test('releases one of two labellings of a note in one job', async () => {
    const scheme = createLabelScheme({
      name: 'two',
      version: '1',
      types: ['NAME', 'PLACE'],
      map: {},
    });
    const lists = scheme.types.map((type) => ({ name: type, type, text: 'beta' }));
    const inventory = new Inventory(await createInventory(scheme, { lists }));
    const { id, text } = note('delta', 1);
    const notes = scheme.types.map((type) => ({ id, text, spans: [{ type, start: 5, end: 10 }] }));
    const report = await encodeWhole(notes, { ...model, scheme, inventory }, home);
    expect(report).toMatchObject({ documents: 2, released: 2, skipped: 2 });
  });

  test('releases as many sentences that are alike but for their entities as it may, over all jobs', async () => {
    const notes = Array.from({ length: 6 }, (_, i) => note(WORDS[i] as string, i));
    const options = { maxAlike: 2 };
    const report = await encodeWhole(notes.slice(0, 4), model, home, options);
    expect(report).toMatchObject({ released: 6, alike: 2, skipped: 0 });
    expect(await encodeWhole(notes, model, home, options)).toMatchObject({ released: 2, alike: 4 });
    await expect(encodeWhole(notes, model, home, { maxAlike: 3 })).rejects.toMatchObject({
      code: 'bounds-laxer',
    });
  });

  test('lets a note leave several times with other entities, and what has none once', async () => {
    const words = WORDS.slice(3, 11).join('\n');
    const lists = [{ name: 'some', type: 'PHI', text: words }];
    const inventory = await createInventory(model.scheme, { lists });
    const options = { inventory, copies: 12, keepMap: true };
    const report = await encodeWhole([note('delta', 1)], model, home, options);
    // Twelve of the line with a name, one of the sentence without.
    expect(report).toMatchObject({ copies: 12, documents: 1, replaced: 1, released: 13 });
    const isReleased = await released();
    const left = WORDS.slice(3, 11).filter((word) => isReleased('Name', word, '.'));
    expect(left.length).toBeGreaterThan(2);
    const ledger = await Ledger.open(home);
    expect(ledger.segments.pending()).toMatchObject([{ copies: 12 }]);
    ledger.close();
    expect(await encodeWhole([note('epsilon', 1)], model, home, options)).toMatchObject({
      released: 0,
    });
  });

  test('counts every copy against maxReleases', async () => {
    const notes = [note('delta', 1)];
    await expect(
      encodeWhole(notes, model, home, { copies: 3, maxReleases: 2 }),
    ).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('maxReleases is 2'),
    });
    await encodeWhole(notes, model, home, { maxReleases: 1 });
    await expect(encodeWhole(notes, model, home, { copies: 2 })).rejects.toMatchObject({
      code: 'bounds-laxer',
    });
    const kept = { copies: 2, entities: 'kept' } as const;
    await expect(encodeWhole(notes, model, home, kept)).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });

  describe('copies whose sentences end where their surrogates do', () => {
    const PLACE = 'delta';
    const text = WORDS.slice(3, 9)
      .map((word) => `Seen by ${PLACE} Then ${word}.`)
      .join(' ');
    const parted: Document = {
      ...{ id: 'parted', text },
      spans: [...text.matchAll(new RegExp(PLACE, 'g'))].map(({ index }) => {
        return { type: 'PHI', start: index, end: index + PLACE.length };
      }),
    };
    const options = async (copies: number, maxReleases = copies) => {
      const lists = [{ name: 'some', type: 'PHI', text: 'beta\ngamma!' }];
      return {
        inventory: await createInventory(model.scheme, { lists }),
        ...{ copies, maxReleases, maxAlike: 100 },
      };
    };

    test('leave no more often over several jobs than they may', async () => {
      // Where sentences end is drawn anew in each home.
      for (let drawn = 0; drawn < 8; drawn++) {
        const own = newHome();
        const twice = await options(2);
        const { released } = await encodeWhole([parted], model, own, twice);
        expect(released).toBeGreaterThan(WORDS.slice(3, 9).length);
        expect(await encodeWhole([parted], model, own, twice)).toMatchObject({ released: 0 });
      }
    });

    test('leave again as a whole where that is allowed, and in another number of copies not at all', async () => {
      const first = await encodeWhole([parted], model, home, await options(2, 5));
      const again = await encodeWhole([parted], model, home, await options(2, 5));
      expect(again.released).toBe(first.released);
      expect(await encodeWhole([parted], model, home, await options(2, 5))).toMatchObject({
        released: 0,
      });
      const other = newHome();
      expect(
        (await encodeWhole([parted], model, other, await options(1, 5))).released,
      ).toBeGreaterThan(0);
      for (const copies of [2, 3])
        expect(await encodeWhole([parted], model, other, await options(copies, 5))).toMatchObject({
          released: 0,
        });
      expect(
        (await encodeWhole([parted], model, other, await options(1, 5))).released,
      ).toBeGreaterThan(0);
    });

    test('do not leave again where an earlier version counted all of them together', async () => {
      await encodeWhole([parted], model, home, await options(2, 4));
      const single = newHome();
      await encodeWhole([parted], model, single, await options(1, 2));
      for (const [each, copies] of [
        [home, 2],
        [single, 1],
      ] as const) {
        await toVersion9(each, [parted], model, copies);
        const db = openDatabase(join(each, 'ledger.db'));
        db.exec(`ALTER TABLE documents DROP COLUMN copies; ALTER TABLE bounds DROP COLUMN label_documents;
          PRAGMA user_version = 7`);
        db.close();
      }
      expect(await encodeWhole([parted], model, home, await options(2, 4))).toMatchObject({
        released: 0,
      });
      const { released } = await encodeWhole([parted], model, single, await options(1, 2));
      expect(released).toBeGreaterThan(0);
    });
  });

  test('says in every segment that entities were replaced', async () => {
    await encodeWhole([note('delta', 1)], model, home);
    expect((await outgoing(home)).size).toBe(1);
    const ledger = await Ledger.open(home);
    const [segment] = ledger.segments.pending();
    expect(segment).toMatchObject({ certified: null, inventory: model.inventory?.digest });
    ledger.close();
  });

  test('never shares a home with releases whose entities were kept', async () => {
    await encodeKept([note('delta', 1)], model, home);
    await expect(encodeWhole([note('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
    home = newHome();
    await encodeWhole([note('delta', 1)], model, home);
    await expect(encodeKept([note('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
  });

  test('takes what an earlier version released for kept', async () => {
    await encodeKept([note('delta', 1)], model, home);
    const db = openDatabase(join(home, 'ledger.db'));
    db.exec(`${TO_9} DROP TABLE documents; DROP TABLE alike; ALTER TABLE segments DROP COLUMN inventory;
      ALTER TABLE segments DROP COLUMN copies;
      ALTER TABLE segments DROP COLUMN kept_types; ALTER TABLE bounds DROP COLUMN kept_types;
      ALTER TABLE bounds DROP COLUMN max_alike; ALTER TABLE bounds DROP COLUMN entities;
      ALTER TABLE bounds DROP COLUMN label_documents; PRAGMA user_version = 4`);
    db.close();
    await expect(encodeWhole([note('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
    // Its name stands in a sentence that left before.
    expect(await encodeKept([note('delta', 2)], model, home)).toMatchObject({ released: 1 });
  });

  test.each([
    ['nothing stands for them', {}, 'inventory-missing'],
    ['a policy names another inventory', { inventoryDigest: 'f'.repeat(64) }, 'policy-otherwise'],
    [
      'a limit speaks of entities that are kept',
      { certification: { limit: 0.9, neighbours: 4 } },
      'config-invalid',
    ],
  ])('is refused where %s', async (_what, options, code) => {
    const own = code === 'inventory-missing' ? { ...model, inventory: undefined } : model;
    await expect(encodeWhole([note('delta', 1)], own, home, options)).rejects.toMatchObject({
      code,
    });
  });

  test('is refused where a type of the notes has no entities', async () => {
    const scheme = { ...model.scheme, types: ['PHI', 'ZZZ'] };
    const other = { ...note('delta', 1), spans: [{ type: 'ZZZ', start: 5, end: 10 }] };
    const lacking = { ...model, scheme, inventory: new Inventory(await only('beta')) };
    await expect(encodeWhole([other], lacking, home)).rejects.toMatchObject({
      code: 'inventory-missing',
      message: expect.stringContaining('ZZZ'),
    });
  });
});
