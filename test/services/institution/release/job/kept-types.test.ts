import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../../models/surrogates/create-inventory.js';
import type { Document } from '../../../../../models/text/document.js';
import { createLabelScheme } from '../../../../../models/text/label-scheme.js';
import { openDatabase } from '../../../../../platform/sqlite/database.js';
import { readSegment } from '../../../../../proto/segment.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import type { EncodeOptions } from '../../../../../services/institution/release/job/encode-options.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import {
  readReleases,
  releaseName,
} from '../../../../../services/institution/release/segments/release-map.js';
import type { SecondReader } from '../../../../../services/institution/release/suspects/second-reader.js';
import { WORDS } from '../../notes.js';
import { TWO_TYPES } from '../../two-types.js';
import { TO_9 } from '../earlier-ledger.js';
import { encodeWhole } from '../encode-whole.js';
import { inNewHomes } from '../in-new-homes.js';

/** A name and an organisation in one line, and a line with neither. */
function note(name: string, organisation: string, day: number): Document {
  const before = 'Name ';
  const between = ' of ';
  const start = before.length + name.length + between.length;
  const words = [0, 1, 2].map((t) => WORDS[(day + t * t) % WORDS.length]);
  return {
    id: `${day}`,
    text: `${before}${name}${between}${organisation}.\n\nSeen ${words.join(' ')}.`,
    spans: [
      { type: 'PHI', start: before.length, end: before.length + name.length },
      { type: 'HOSPITAL', start, end: start + organisation.length },
    ],
  };
}

const LOOSE = { limit: 1, neighbours: 3, twins: 4 };
const KEPT = { keptTypes: ['ORG'], certification: LOOSE } satisfies EncodeOptions;

describe('encoding with entities of a type kept and the others replaced', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ home, newHome } = setting);
    model = { ...setting.model, scheme: TWO_TYPES };
  });

  const only = (word: string) =>
    createInventory(TWO_TYPES, { lists: [{ name: 'one', type: 'PHI', text: word }] });

  const isReleased = async (...words: string[]) => {
    const ledger = await Ledger.open(home);
    const found = await readReleases(home, ledger.key);
    const { vocabulary } = model;
    const ids = Int32Array.from(words, (word) => vocabulary.idOf(word));
    ledger.close();
    return found.has(releaseName(ids, vocabulary, ledger.key));
  };

  const spentOn = async (...words: string[]) => {
    const ledger = await Ledger.open(home);
    const spent = ledger.entities.spentOn(ledger.key.hashEntity(words).toString('hex'));
    ledger.close();
    return spent;
  };

  test('encodes entities of that type as they are, and surrogates for the others', async () => {
    const options = { ...KEPT, inventory: await only('beta'), keepMap: true };
    const report = await encodeWhole([note('delta', 'zeta gamma', 1)], model, home, options);
    expect(report).toMatchObject({
      ...{ entityTreatment: 'replaced', keptTypes: ['ORG'], replaced: 1, kept: 1, released: 2 },
      ...{ entities: 1, withheld: 0 },
    });
    expect(await isReleased('Name', 'beta', 'of', 'zeta', 'gamma', '.')).toBe(true);
  });

  test('counts by type what the scheme takes for text, once for a note that leaves in copies', async () => {
    const scheme = createLabelScheme({
      ...{ name: 'with-text', version: '1', types: ['PHI', 'ORG'] },
      ...{ map: { HOSPITAL: 'ORG', YEAR: null, COUNTRY: null } },
    });
    const others = [
      { type: 'YEAR', start: 0, end: 4 },
      { type: 'YEAR', start: 5, end: 9 },
    ];
    const notes = [note('delta', 'zeta', 1), note('epsilon', 'gamma', 2)].map((each) => ({
      ...each,
      text: `1999 2001 ${each.text}`,
      spans: [
        ...others,
        ...each.spans.map(({ type, start, end }) => ({ type, start: start + 10, end: end + 10 })),
      ],
    }));
    const lists = ['PHI', 'ORG'].map((type) => ({ name: type, type, text: 'beta' }));
    const inventory = await createInventory(scheme, { lists });
    const itsModel = { ...model, scheme };
    for (const options of [
      { dryRun: true },
      { inventory, copies: 2, maxReleases: 2 },
      { entities: 'kept' },
    ] as const) {
      const report = await encodeWhole(notes, itsModel, newHome(), { inventory, ...options });
      expect(report).toMatchObject({ asText: { YEAR: 4 }, documents: 2 });
    }
    const none = await encodeWhole([note('delta', 'zeta', 3)], itsModel, newHome(), { inventory });
    expect(none.asText).toEqual({});
  });

  test('counts in the ledger what is told of what is kept, and nothing of what is replaced', async () => {
    // The surrogate is a word of the organisation, and none of its mentions.
    const options = { ...KEPT, inventory: await only('zeta') };
    await encodeWhole([note('delta', 'zeta gamma', 1)], model, home, options);
    const { sentences, squared } = await spentOn('zeta', 'gamma');
    expect(sentences).toBe(1);
    expect(Math.max(...squared)).toBeGreaterThan(0);
    for (const word of ['delta', 'zeta']) expect((await spentOn(word)).sentences).toBe(0);
  });

  test('says so in the segment and in its row', async () => {
    const { segments } = await encodeWhole([note('delta', 'zeta', 1)], model, home, KEPT);
    const ledger = await Ledger.open(home);
    expect(ledger.segments.pending()).toMatchObject([{ keptTypes: 'ORG', certified: 1 }]);
    ledger.close();
    const { header } = readSegment(await readFile(join(home, 'outbox', `${segments[0]}.segment`)));
    expect(header).toMatchObject({ entities: 'replaced', keptTypes: ['ORG'] });
  });

  test('withholds the sentences of the type where its limit does, and no others', async () => {
    const named = { id: 'named', text: 'Only delta.', spans: [{ type: 'PHI', start: 5, end: 10 }] };
    const notes = [note('delta', 'zeta', 1), named];
    const certification = { ...LOOSE, limit: 0.6 };
    const report = await encodeWhole(notes, model, home, { ...KEPT, certification });
    expect(report).toMatchObject({ withheld: 1, released: 2, kept: 1 });
    expect(report.bounds?.withheldTypes).toEqual(['ORG']);
    expect((await spentOn('zeta')).sentences).toBe(0);
  });

  test('lets what a dry run withheld leave once its type is replaced, and after a release no more', async () => {
    const certification = { ...LOOSE, limit: 0.6 };
    const lists = ['PHI', 'ORG'].map((type) => ({ name: type, type, text: 'beta' }));
    const inventory = await createInventory(TWO_TYPES, { lists });
    const strict = { ...KEPT, certification, inventory };
    const first = [note('delta', 'zeta', 1)];
    const dry = await encodeWhole(first, model, home, { ...strict, dryRun: true });
    expect(dry).toMatchObject({ withheld: 1 });
    expect(await encodeWhole(first, model, home, { inventory })).toMatchObject({
      ...{ keptTypes: [], kept: 0, replaced: 2, released: 2, skipped: 0 },
    });
    home = newHome();
    expect(await encodeWhole(first, model, home, strict)).toMatchObject({
      withheld: 1,
      released: 1,
    });
    expect(await encodeWhole(first, model, home, { inventory })).toMatchObject({
      ...{ keptTypes: [], released: 0, redrawn: 2, skipped: 0 },
    });
  });

  test.each([
    ['the same', 'zeta'],
    ['another', 'gamma'],
    ['a longer one', 'zeta gamma'],
  ])(
    'lets as much leave of two notes that differ in what is kept alone, be it %s',
    async (_, other) => {
      const options = { ...KEPT, maxReleases: 2, inventory: await only('beta') };
      const pair = [note('delta', 'zeta', 1), note('epsilon', other, 1)];
      expect(await encodeWhole(pair, model, home, options)).toMatchObject({
        released: 4,
        skipped: 0,
      });
      expect(await encodeWhole(pair, model, home, options)).toMatchObject({
        released: 0,
        skipped: 4,
      });
    },
  );

  test('keeps to the cap of sentences for one entity', async () => {
    const certification = { ...LOOSE, maxSentencesPerEntity: 2 };
    const notes = [1, 2, 3, 4].map((day) => {
      const { text, ...rest } = note('delta', 'zeta', day);
      return { ...rest, text: `${text.replace('.', ` ${'alpha '.repeat(day)}.`)}` };
    });
    const report = await encodeWhole(notes, model, home, { ...KEPT, certification });
    expect(report).toMatchObject({ withheld: 2, released: 6 });
    expect((await spentOn('zeta')).sentences).toBe(2);
  });

  test('takes a note that differs in entities alone for one, also where those are kept', async () => {
    expect(await encodeWhole([note('delta', 'zeta', 1)], model, home, KEPT)).toMatchObject({
      released: 2,
    });
    const other = [note('epsilon', 'gamma', 1)];
    expect(await encodeWhole(other, model, home, KEPT)).toMatchObject({ released: 0, skipped: 2 });
    expect((await spentOn('gamma')).sentences).toBe(0);
  });

  test('counts sentences as alike whatever is kept in them', async () => {
    const notes = WORDS.map((word, day) => note('delta', word, day));
    const report = await encodeWhole(notes, model, home, { ...KEPT, maxAlike: 2 });
    expect(report).toMatchObject({ alike: WORDS.length - 2 });
  });

  test('never keeps more in a home than before', async () => {
    const job = (day: number, options: EncodeOptions) =>
      encodeWhole([note('delta', 'zeta', day)], model, home, { inventory: undefined, ...options });
    const lists = ['PHI', 'ORG'].map((type) => ({ name: type, type, text: 'beta' }));
    const inventory = await createInventory(TWO_TYPES, { lists });
    await job(1, KEPT);
    await job(2, { ...KEPT });
    await job(3, { inventory });
    await expect(job(4, KEPT)).rejects.toMatchObject({
      code: 'treatment-other',
      message: expect.stringContaining('ORG'),
    });
    home = newHome();
    await job(1, { inventory });
    await expect(job(2, KEPT)).rejects.toMatchObject({ code: 'treatment-other' });
  });

  test('holds later jobs that keep something to the limit of earlier ones', async () => {
    const strict = { ...KEPT, certification: { ...LOOSE, limit: 0.9 } };
    await encodeWhole([note('delta', 'zeta', 1)], model, home, strict);
    await expect(encodeWhole([note('delta', 'zeta', 2)], model, home, KEPT)).rejects.toMatchObject({
      code: 'bounds-laxer',
    });
  });

  test('takes a home of an earlier version for one that kept nothing', async () => {
    const lists = ['PHI', 'ORG'].map((type) => ({ name: type, type, text: 'beta' }));
    const inventory = await createInventory(TWO_TYPES, { lists });
    await encodeWhole([note('delta', 'zeta', 1)], model, home, { inventory });
    const db = openDatabase(join(home, 'ledger.db'));
    db.exec(`${TO_9} ALTER TABLE segments DROP COLUMN kept_types; ALTER TABLE bounds DROP COLUMN kept_types;
      ALTER TABLE bounds DROP COLUMN label_documents; DROP TABLE documents; PRAGMA user_version = 6`);
    db.close();
    expect(await encodeWhole([note('delta', 'zeta', 1)], model, home, { inventory })).toMatchObject(
      {
        ...{ released: 0, skipped: 2 },
      },
    );
    await expect(encodeWhole([note('delta', 'zeta', 2)], model, home, KEPT)).rejects.toMatchObject({
      code: 'treatment-other',
    });
  });

  test('keeps a suspect of that type, which is charged, and replaces one of another', async () => {
    const reader = (type: string): SecondReader => ({
      treatment: 'replace',
      find: async (text) => {
        const start = text.indexOf('Seen ') + 5;
        return [{ type, start, end: text.indexOf(' ', start) }];
      },
    });
    const word = WORDS[1] as string;
    const notes = [note('delta', 'zeta', 1)];
    const options = { ...KEPT, inventory: await only('beta') };
    await encodeWhole(notes, model, home, { ...options, reader: reader('ORG') });
    expect((await spentOn(word)).sentences).toBe(1);
    home = newHome();
    await encodeWhole(notes, model, home, { ...options, reader: reader('PHI') });
    expect((await spentOn(word)).sentences).toBe(0);
  });

  test.each<[string, EncodeOptions, string, string]>([
    ['names somebody', { ...KEPT, keptTypes: ['PHI'] }, 'type-names-somebody', 'those are ORG'],
    ['no model has', { ...KEPT, keptTypes: ['DEM'] }, 'label-unknown', 'DEM'],
    ['goes by another name', { ...KEPT, keptTypes: ['HOSPITAL'] }, 'label-unknown', 'is ORG there'],
    ['nothing limits', { keptTypes: ['ORG'] }, 'config-invalid', 'certifiedLimit'],
    ['leaves in copies', { ...KEPT, copies: 2, maxReleases: 2 }, 'config-invalid', 'copies'],
    ['is kept with all', { ...KEPT, entities: 'kept' }, 'config-invalid', 'every type'],
  ])('refuses to keep a type that %s', async (_what, options, code, message) => {
    const refused = encodeWhole([note('delta', 'zeta', 1)], model, home, options);
    await expect(refused).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});
