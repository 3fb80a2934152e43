import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../models/surrogates/create-inventory.js';
import { Inventory } from '../../../../models/surrogates/inventory.js';
import type { Document } from '../../../../models/text/document.js';
import { openDatabase } from '../../../../platform/sqlite/database.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import {
  readReleases,
  releaseName,
} from '../../../../services/institution/release/segments/release-map.js';
import type {
  SecondReader,
  SuspectTreatment,
} from '../../../../services/institution/release/suspects/second-reader.js';
import { outgoing, WORDS } from '../notes.js';
import { TO_9, toVersion9 } from './earlier-ledger.js';
import { encodeKept } from './encode-kept.js';
import { encodeWhole } from './encode-whole.js';
import { formNote } from './form-note.js';
import { inNewHomes } from './in-new-homes.js';
import { inScheme } from './in-scheme.js';

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
    const report = await encodeWhole([formNote('delta', 1)], model, home, {
      inventory,
      keepMap: true,
    });
    expect(report).toMatchObject({
      ...{ entityTreatment: 'replaced', replaced: 1, released: 2 },
      inventory: new Inventory(inventory).digest,
    });
    const isReleased = await released();
    expect(isReleased('Name', 'beta', '.')).toBe(true);
    expect(isReleased('Name', 'delta', '.')).toBe(false);
  });

  test('releases as many that are alike, however schemes number types', async () => {
    const first = await inScheme(model, ['PHI', 'PLACE']);
    const second = await inScheme(model, ['PLACE', 'PHI']);
    const notes = [0, 1, 2, 3].map((i) => formNote(WORDS[i] as string, i));
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
    const [first, second] = [formNote('delta', 1), formNote('delta', 2)];
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
    expect(await encodeWhole([formNote('delta', 1)], model, home)).toMatchObject({ released: 2 });
    home = newHome();
    expect(await encodeWhole([seen], model, home, { reader: all })).toMatchObject(held);
    await expect(encodeWhole([seen], model, home)).rejects.toMatchObject({ code: 'bounds-laxer' });
  });

  test.each(['withhold', 'replace'] as const)(
    'keeps to a second reader also where too few notes let anything leave: %s',
    async (treatment) => {
      const reader: SecondReader = {
        treatment,
        find: async (text) => [{ type: 'PHI', start: text.indexOf('Seen '), end: text.length - 1 }],
      };
      const notes = [formNote('delta', 1)];
      await expect(
        encodeWhole(notes, model, home, { reader, minDocuments: 2 }),
      ).rejects.toMatchObject({ code: 'documents-too-few' });
      await expect(encodeWhole(notes, model, home)).rejects.toMatchObject({ code: 'bounds-laxer' });
    },
  );

  test.each([
    ['withhold', /that the second reader misses would be encoded/],
    ['replace', /that the second reader misses would be encoded/],
    ['report', /nothing would be replaced, and every name in them encoded/],
  ] as const)(
    'keeps to a second reader also where no note is labelled: %s',
    async (treatment, said) => {
      const reader: SecondReader = {
        treatment,
        find: async (text) => [{ type: 'PHI', start: text.indexOf('Seen '), end: text.length - 1 }],
      };
      const corpus = join(newHome(), 'notes.jsonl');
      await mkdir(dirname(corpus));
      await writeFile(corpus, JSON.stringify({ ...formNote('delta', 1), spans: [] }));
      const read = (dryRun: boolean) => encodeWhole({ corpus }, model, home, { reader, dryRun });
      const refusal = { code: 'entities-missing', message: expect.stringMatching(said) };
      await expect(read(true)).rejects.toMatchObject(refusal);
      await encodeWhole([formNote('delta', 2)], model, home);
      await expect(read(false)).rejects.toMatchObject(refusal);
      const others = encodeWhole({ corpus }, model, home, { withoutPhi: true });
      if (treatment === 'report') expect(await others).toMatchObject({ released: 2 });
      else await expect(others).rejects.toMatchObject({ code: 'bounds-laxer' });
    },
  );

  test('releases as many sentences that are alike but for their entities as it may, over all jobs', async () => {
    const notes = Array.from({ length: 6 }, (_, i) => formNote(WORDS[i] as string, i));
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
    const report = await encodeWhole([formNote('delta', 1)], model, home, options);
    // Twelve of the line with a name, one of the sentence without.
    expect(report).toMatchObject({ copies: 12, documents: 1, replaced: 1, released: 13 });
    const isReleased = await released();
    const left = WORDS.slice(3, 11).filter((word) => isReleased('Name', word, '.'));
    expect(left.length).toBeGreaterThan(1);
    const ledger = await Ledger.open(home);
    expect(ledger.segments.pending()).toMatchObject([{ copies: 12 }]);
    ledger.close();
    expect(await encodeWhole([formNote('epsilon', 1)], model, home, options)).toMatchObject({
      released: 0,
    });
  });

  test('counts every copy against maxReleases', async () => {
    const notes = [formNote('delta', 1)];
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
    await encodeWhole([formNote('delta', 1)], model, home);
    expect((await outgoing(home)).size).toBe(1);
    const ledger = await Ledger.open(home);
    const [segment] = ledger.segments.pending();
    expect(segment).toMatchObject({ certified: null, inventory: model.inventory?.digest });
    ledger.close();
  });

  test('never shares a home with releases whose entities were kept', async () => {
    await encodeKept([formNote('delta', 1)], model, home);
    await expect(encodeWhole([formNote('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
    home = newHome();
    await encodeWhole([formNote('delta', 1)], model, home);
    await expect(encodeKept([formNote('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
  });

  test('takes what an earlier version released for kept', async () => {
    await encodeKept([formNote('delta', 1)], model, home);
    const db = openDatabase(join(home, 'ledger.db'));
    db.exec(`${TO_9} DROP TABLE documents; DROP TABLE alike; ALTER TABLE segments DROP COLUMN inventory;
      ALTER TABLE segments DROP COLUMN copies;
      ALTER TABLE segments DROP COLUMN kept_types; ALTER TABLE bounds DROP COLUMN kept_types;
      ALTER TABLE bounds DROP COLUMN max_alike; ALTER TABLE bounds DROP COLUMN entities;
      ALTER TABLE bounds DROP COLUMN label_documents; PRAGMA user_version = 4`);
    db.close();
    await expect(encodeWhole([formNote('delta', 2)], model, home)).rejects.toMatchObject({
      code: 'treatment-other',
    });
    // Its name stands in a sentence that left before.
    expect(await encodeKept([formNote('delta', 2)], model, home)).toMatchObject({ released: 1 });
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
    await expect(encodeWhole([formNote('delta', 1)], own, home, options)).rejects.toMatchObject({
      code,
    });
  });

  test('is refused where a type of the notes has no entities', async () => {
    const scheme = { ...model.scheme, types: ['PHI', 'ZZZ'] };
    const other = { ...formNote('delta', 1), spans: [{ type: 'ZZZ', start: 5, end: 10 }] };
    const lacking = { ...model, scheme, inventory: new Inventory(await only('beta')) };
    await expect(encodeWhole([other], lacking, home)).rejects.toMatchObject({
      code: 'inventory-missing',
      message: expect.stringContaining('ZZZ'),
    });
  });
});
