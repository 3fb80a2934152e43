import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../models/surrogates/create-inventory.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { WORDS } from '../notes.js';
import { toVersion9 } from './earlier-ledger.js';
import { encodeWhole } from './encode-whole.js';
import { formNote } from './form-note.js';
import { inNewHomes } from './in-new-homes.js';
import { inScheme } from './in-scheme.js';

const NOTE = formNote('delta', 1);
const LEFT_BEFORE = { released: 0, skipped: 2 };
/** With other surrogates than it would have now. */
const REDRAWN = { released: 0, redrawn: 2, skipped: 0 };

async function countsEarlier(home: string): Promise<boolean> {
  const ledger = await Ledger.open(home);
  try {
    return ledger.documents.countsEarlier;
  } finally {
    ledger.close();
  }
}

describe('a note whose entities are replaced is the same', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ model, home, newHome } = setting);
  });

  test('whatever its entities are', async () => {
    expect(await encodeWhole([NOTE], model, home)).toMatchObject({ released: 2 });
    const other = formNote('epsilon zeta', 1);
    expect(await encodeWhole([other], model, home)).toMatchObject(LEFT_BEFORE);
    expect(await encodeWhole([formNote('delta', 2)], model, home)).toMatchObject({ released: 2 });
  });

  test('whatever label scheme or inventory another job has', async () => {
    const once = { ...NOTE, text: 'Name delta. Seen delta by gamma.' };
    const spans = [...once.spans, { type: 'PHI', start: 17, end: 22 }];
    const notes = [{ ...once, spans }];
    expect(await encodeWhole(notes, model, home)).toMatchObject({ released: 2 });
    const renamed = await inScheme(model, ['NAME'], { PHI: 'NAME' });
    expect(await encodeWhole(notes, renamed, home)).toMatchObject(REDRAWN);
    const longer = [{ name: 'long', type: 'PHI', text: 'Beta. Alpha beta. Gamma' }];
    const inventory = await createInventory(model.scheme, { lists: longer });
    const report = await encodeWhole(notes, model, home, { inventory });
    expect(report).toMatchObject({ released: 0, redrawn: report.sentences });
    expect(report.sentences).toBeGreaterThan(2);
  });

  test('whatever format of file it stands in', async () => {
    // As columns have it: words apart, sentences stated, and a name parted in two.
    const text = NOTE.text
      .replace('delta', 'del ta')
      .replace(/\s*\n+\s*/g, '\n')
      .replaceAll('.', ' .');
    const spans = [
      { type: 'PHI', start: 5, end: 8 },
      { type: 'PHI', start: 9, end: 11 },
    ];
    const columns = { ...NOTE, text, spans, sentences: [0, text.indexOf('\n') + 1] };
    const report = await encodeWhole([NOTE, columns], model, home);
    expect(report).toMatchObject({ documents: 2, released: 2, redrawn: 2 });
    expect(await encodeWhole([NOTE], model, home)).toMatchObject(LEFT_BEFORE);
    expect(await encodeWhole([columns], model, home)).toMatchObject(REDRAWN);
    const other = newHome();
    expect(await encodeWhole([columns], model, other)).toMatchObject({ released: 2 });
    expect(await encodeWhole([NOTE], model, other)).toMatchObject(REDRAWN);
  });

  test('whatever white space parts its words, of which columns keep none', async () => {
    for (const space of ['\u0085', '\u2029', '\u00a0\n', '\f', '\u3000\n']) {
      const { text } = NOTE;
      const written = { ...NOTE, text: text.replace(/\n+/, space) };
      const columns = { ...NOTE, text: text.replace(/\n+/, '\n'), sentences: [0, 12] };
      home = newHome();
      expect(await encodeWhole([written], model, home)).toMatchObject({ released: 2 });
      expect(await encodeWhole([columns], model, home)).toMatchObject(REDRAWN);
    }
  });

  test('whether its accents are composed letters or marks of their own', async () => {
    const composed = { ...NOTE, text: NOTE.text.replace('Seen', 'Visité') };
    const apart = { ...composed, text: composed.text.normalize('NFD') };
    expect(await encodeWhole([composed], model, home)).toMatchObject({ released: 2 });
    expect(await encodeWhole([apart], model, home)).toMatchObject(REDRAWN);
    expect(await encodeWhole([apart, composed], model, newHome())).toMatchObject({ released: 2 });
  });

  test('whether or not a scheme calls a type of it PHI', async () => {
    const start = NOTE.text.indexOf('Seen ') + 5;
    const place = { type: 'PLACE', start, end: NOTE.text.indexOf(' ', start) };
    const document = { ...NOTE, spans: [...NOTE.spans, place] };
    const without = await inScheme(model, ['PHI'], { PLACE: null });
    const within = await inScheme(model, ['PHI'], { PLACE: 'PHI' });
    for (const [own, other] of [
      [without, within],
      [within, without],
    ] as const) {
      home = newHome();
      expect(await encodeWhole([document], own, home)).toMatchObject({ released: 2 });
      expect(await encodeWhole([document], other, home)).toMatchObject(REDRAWN);
    }
  });

  test('in two labellings of one job', async () => {
    const types = ['NAME', 'PLACE'];
    const notes = types.map((type) => ({ ...NOTE, spans: [{ type, start: 5, end: 10 }] }));
    const report = await encodeWhole(notes, await inScheme(model, types), home);
    expect(report).toMatchObject({ documents: 2, released: 2, redrawn: 2 });
  });

  test('to a ledger of an earlier version, by the names that it had for it', async () => {
    const notes = [0, 1, 2].map((i) => formNote(WORDS[i] as string, i));
    const stated = notes.map((each) => ({ ...each, sentences: [0, each.text.indexOf('Seen')] }));
    const bounds = { maxAlike: 4, maxReleases: 9 };
    await encodeWhole(stated, model, home, bounds);
    expect(await countsEarlier(home)).toBe(false);
    await toVersion9(home, stated, model);
    const lists = [{ name: 'one', type: 'PHI', text: 'Beta. Gamma' }];
    const inventory = await createInventory(model.scheme, { lists });
    expect(await encodeWhole(stated, model, home, { ...bounds, inventory })).toMatchObject({
      released: 0,
      redrawn: 6,
    });
    expect(await countsEarlier(home)).toBe(true);
    // Three of the form have left: one more may.
    const more = [3, 4, 5].map((i) => formNote(WORDS[i] as string, i));
    expect(await encodeWhole(more, model, home, bounds)).toMatchObject({ released: 4, alike: 2 });
  });

  describe('no more once its text was changed', () => {
    const changed = { ...NOTE, text: `${NOTE.text}\n\nSeen.` };

    test('or its labels: what has an entity leaves again', async () => {
      expect(await encodeWhole([NOTE], model, home)).toMatchObject({ released: 2 });
      expect(await encodeWhole([changed], model, home)).toMatchObject({ released: 2, alike: 1 });
      const unlabelled = { ...NOTE, spans: [] };
      expect(await encodeWhole([unlabelled], model, home)).toMatchObject({
        released: 1,
        alike: 1,
      });
    });

    test('but what has an entity leaves no second time where one alike is the most', async () => {
      const options = { maxAlike: 1 };
      expect(await encodeWhole([NOTE], model, home, options)).toMatchObject({ released: 2 });
      expect(await encodeWhole([changed], model, home, options)).toMatchObject({
        released: 1,
        alike: 2,
      });
    });
  });
});
