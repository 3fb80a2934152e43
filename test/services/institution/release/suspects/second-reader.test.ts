import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../../models/surrogates/create-inventory.js';
import type { Document, Span } from '../../../../../models/text/document.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import {
  chunksOf,
  type NoteChunk,
} from '../../../../../services/institution/release/notes/note-chunks.js';
import {
  type ReplacedDocument,
  Replacer,
} from '../../../../../services/institution/release/notes/replacer.js';
import {
  requireReadable,
  type SecondReader,
  type SuspectTreatment,
} from '../../../../../services/institution/release/suspects/second-reader.js';

const SCHEME = loadLabelScheme('phi-binary');
const TEXT = 'Ana Ruiz was seen.\n\nHer brother Luis came.\n\nNothing else.';
const NOTE: Document = { id: 'note', text: TEXT, spans: [{ type: 'PHI', start: 0, end: 8 }] };

/** Finds one name, wherever it stands. */
function finding(name: string, treatment: SuspectTreatment): SecondReader & { read: string[] } {
  const read: string[] = [];
  const find = async (text: string) => {
    read.push(text);
    const start = text.indexOf(name);
    return start < 0 ? [] : [{ type: 'PHI', start, end: start + name.length }];
  };
  return { treatment, find, read };
}

async function replacer(copies = 1): Promise<Replacer> {
  const text = 'Eva Sanz\nIker Vega\nMara Gil';
  const inventory = await createInventory(SCHEME, {
    lists: [{ name: 'names', type: 'PHI', text }],
  });
  return new Replacer({ inventory, secret: Buffer.alloc(32, 1), copies });
}

/** As it leaves where it leaves once. */
async function replacedBy(own: Replacer, reader?: SecondReader): Promise<ReplacedDocument> {
  const [only] = await own.copiesOf(NOTE, SCHEME, reader);
  return only as ReplacedDocument;
}

async function chunkOf(reader: SecondReader, copies = 1): Promise<NoteChunk> {
  for await (const chunk of chunksOf([NOTE], SCHEME, { replacer: await replacer(copies), reader }))
    return chunk;
  throw new Error('there is no chunk');
}

describe('a second reader', () => {
  test('reads notes whose entities are replaced', async () => {
    const reader = finding('Luis', 'report');
    await replacedBy(await replacer(), reader);
    expect(reader.read.join()).toContain('was seen.');
    expect(reader.read.join()).not.toMatch(/Ana|Ruiz/);
  });

  test('has what it finds labelled and replaced', async () => {
    const { document, suspects } = await replacedBy(await replacer(), finding('Luis', 'replace'));
    expect(document.text).not.toMatch(/Ana|Ruiz|Luis/);
    expect(document.spans.map(({ type }) => type)).toEqual(['PHI', 'PHI']);
    expect(suspects).toHaveLength(1);
  });

  test('has the sentence left out that holds it', async () => {
    const { suspected, suspects, replaced } = await chunkOf(finding('Luis', 'withhold'));
    expect([...suspected]).toEqual([0, 1, 0]);
    expect([[...suspects], replaced]).toEqual([[1], 1]);
  });

  test.each(['replace', 'withhold'] as const)(
    'that finds a name in one copy has none leave with it: %s',
    async (treatment) => {
      const always = finding('Luis', treatment);
      let read = 0;
      const once = {
        treatment,
        find: async (text: string) => (read++ === 1 ? always.find(text) : []),
      };
      const { suspected, suspects, spellings } = await chunkOf(once, 3);
      expect(read).toBe(3);
      expect([...suspects]).toEqual([1]);
      if (treatment === 'replace') expect(spellings).not.toContain('Luis');
      // The first copy's three sentences; of the others the one with an entity.
      else expect([...suspected]).toEqual([0, 1, 0, 0, 0]);
    },
  );

  test('is counted alone where it only reports', async () => {
    const { suspected, suspects, spellings } = await chunkOf(finding('Luis', 'report'));
    expect([[...suspected], [...suspects]]).toEqual([[], [1]]);
    expect(spellings).toContain('Luis');
  });

  test('that finds something else draws the note otherwise, so that it leaves no second time', async () => {
    const own = await replacer();
    const drawnBy = async (reader?: SecondReader) =>
      (await replacedBy(own, reader)).drawn.toString('hex');
    const plain = await drawnBy();
    expect(await drawnBy(finding('Luis', 'replace'))).not.toBe(plain);
    expect(await drawnBy(finding('Luis', 'withhold'))).toBe(plain);
    expect(await drawnBy(finding('Luis', 'replace'))).toBe(
      await drawnBy(finding('Luis', 'replace')),
    );
  });

  test('finds nothing in a labelled entity', async () => {
    const { suspects } = await replacedBy(await replacer(), {
      treatment: 'report',
      find: async (text) => [{ type: 'PHI', start: 0, end: text.indexOf(' was') }],
    });
    expect(suspects).toEqual([]);
  });

  test('has the sentence left out of a name that is labelled in part', async () => {
    const note = { id: 'n', text: 'Ana Ruiz was seen.\nAll is well.', spans: [] as Span[] };
    note.spans.push({ type: 'PHI', start: 4, end: 8 });
    const find = async (text: string) => [{ type: 'PHI', start: 0, end: text.indexOf(' was') }];
    const replacing = {
      replacer: await replacer(),
      reader: { treatment: 'withhold', find } as const,
    };
    for await (const { suspected, suspects } of chunksOf([note], SCHEME, replacing))
      expect([[...suspected], [...suspects]]).toEqual([[1, 0], [1]]);
    expect.assertions(1);
  });

  test('of types that the scheme does not know is refused', () => {
    expect(() => requireReadable(['PHI'], SCHEME)).not.toThrow();
    expect(() => requireReadable(['DIAGNOSIS'], SCHEME)).toThrow(
      expect.objectContaining({ code: 'model-unsuitable' }),
    );
  });
});
