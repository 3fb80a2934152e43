import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseBrat } from '../../../../models/text/corpus/brat.js';
import { WRITTEN_FORMATS } from '../../../../models/text/corpus/format.js';
import { formatBiocXml } from '../../../../models/text/corpus/format-bioc.js';
import { formatCasXmi } from '../../../../models/text/corpus/format-cas.js';
import {
  formatBrat,
  formatI2b2Xml,
  formatJsonl,
} from '../../../../models/text/corpus/format-document.js';
import { parseI2b2Xml } from '../../../../models/text/corpus/i2b2-xml.js';
import { parseJsonlDocument } from '../../../../models/text/corpus/jsonl.js';
import { checkedDocument } from '../../../../models/text/corpus/raw-document.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import { TacetError } from '../../../../proto/errors.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

/** Text with everything that a format has to escape, and spans between its characters. */
const documents = fc
  .array(
    fc.record({
      text: fc.array(
        fc.constantFrom(
          'a',
          'ñ',
          '😀',
          ']]>',
          '&',
          '<',
          '"',
          '\r',
          '\n',
          '\t',
          '\u0301',
          '\u2028',
          ' ',
        ),
        { minLength: 1, maxLength: 6 },
      ),
      isSpan: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((pieces): Document => {
    let text = '';
    const spans = pieces.flatMap((piece) => {
      const start = text.length;
      text += piece.text.join('');
      return piece.isSpan ? [{ type: 'PATIENT', start, end: text.length }] : [];
    });
    return { id: 'd', text, spans };
  });

describe('a written document', () => {
  test('reads back the same from JSONL', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const line = formatJsonl(document);
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toMatchObject({ meta: { note_id: 'd' } });
        expect(checkedDocument(parseJsonlDocument(line, '', ''))).toEqual(document);
      }),
    );
  });

  test('reads back the same from i2b2 XML', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const xml = formatI2b2Xml(document);
        expect(checkedDocument(parseI2b2Xml(xml, 'd', ''))).toEqual(document);
      }),
    );
  });

  test('reads back the same from brat', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const raw = parseBrat(document.text, formatBrat(document), 'd', '');
        expect(checkedDocument(raw)).toEqual(document);
      }),
    );
  });

  test('is refused as XML where it holds a control character, without being quoted', () => {
    const document = { id: 'd', text: 'Zacarias\u0001', spans: [] };
    expect(() => formatI2b2Xml(document)).toThrow(/offset 8 cannot be written in XML/);
    expect(() => formatCasXmi(document)).toThrow(/offset 8 cannot be written in XML/);
  });

  test('is refused as BioC where its id holds one, by its number', async () => {
    const documents = ['a', 'b\u0001'].map((id) => ({ id, text: 'Ann', spans: [] }));
    const path = files.fresh('a.xml');
    await expect(writeCorpus(documents, path, 'bioc')).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(/^document 2: its id: the character at offset 1 cannot be/),
    });
    expect(existsSync(path)).toBe(false);
    expect(() => formatBiocXml(documents[1] as Document)).toThrow(/cannot be written in XML/);
  });
});

describe('writeCorpus', () => {
  const corpus: Document[] = [
    { id: 'a', text: '😀 Ann\nLee', spans: [{ type: 'PATIENT', start: 3, end: 6 }] },
    { id: 'b', text: 'CRF', spans: [] },
  ];

  test.each(WRITTEN_FORMATS)('writes %s that reads back', async (format) => {
    const path = files.fresh('out');
    expect(await writeCorpus(corpus, path, format)).toBe(2);
    const expected =
      format === 'text' ? corpus.map((document) => ({ ...document, spans: [] })) : corpus;
    const read = await readAll(path);
    expect(read.map(({ id, text, spans }) => ({ id, text, spans }))).toEqual(expected);
  });

  test('puts i2b2 and MEDDOCAN types into the elements that the official scripts read', () => {
    const spans = [
      { type: 'DOCTOR', start: 0, end: 1 },
      { type: 'CALLE', start: 1, end: 2 },
      { type: 'NEW', start: 2, end: 3 },
    ];
    const xml = formatI2b2Xml({ id: 'd', text: 'abc', spans });
    expect(xml.match(/<[A-Z]+ id/g)).toEqual(['<NAME id', '<LOCATION id', '<OTHER id']);
  });

  test.each(WRITTEN_FORMATS)('does not overwrite %s', async (format) => {
    const path = files.fresh('out');
    await writeCorpus(corpus, path, format);
    const writing = writeCorpus(corpus, path, format);
    await expect(writing).rejects.toMatchObject({ code: 'file-exists' });
    expect(await readAll(path)).toHaveLength(2);
  });

  test.each([
    ...['../a', '/etc/a', '..', 'a\\b', '', '.a', 'a\n', 'x'.repeat(201)],
    ...['病'.repeat(83), `xx${'é'.repeat(123)}`],
  ])('refuses the id %j as a file name', async (id) => {
    const path = files.fresh('out');
    const writing = writeCorpus([{ id, text: '', spans: [] }], path, 'text');
    await expect(writing).rejects.toMatchObject({ code: 'corpus-invalid' });
    expect(readdirSync(path)).toEqual([]);
  });

  test.each(['brat', 'cas-json'] as const)(
    'writes %s by an id of as many bytes as are taken',
    async (format) => {
      const path = files.fresh('out');
      const id = `x${'é'.repeat(123)}`;
      await writeCorpus([{ id, text: '', spans: [] }], path, format, { gzip: true });
      expect(readdirSync(path)[0]).toMatch(id);
    },
  );

  test('leaves no half of a JSONL file behind when its source fails', async () => {
    const path = files.fresh('out.jsonl');
    async function* failing() {
      yield* corpus;
      throw new TacetError('corpus-invalid', 'the source failed');
    }
    await expect(writeCorpus(failing(), path, 'jsonl')).rejects.toThrow('the source failed');
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('has nothing under the name of a JSONL file before all of it is written, and overwrites none that came meanwhile', async () => {
    const path = files.fresh('out.jsonl');
    async function* watched(last: () => void) {
      for (const document of corpus) {
        yield document;
        expect(existsSync(path)).toBe(false);
      }
      last();
    }
    await writeCorpus(
      watched(() => {}),
      path,
      'jsonl',
    );
    expect(await readAll(path)).toHaveLength(2);
    rmSync(path);
    const other = () => writeFileSync(path, 'of another');
    await expect(writeCorpus(watched(other), path, 'jsonl')).rejects.toMatchObject({
      code: 'file-exists',
    });
    expect(readFileSync(path, 'utf8')).toBe('of another');
  });
});

test('notes are written for their owner alone, whatever the format, as are the folders made for them', async () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const note: Document = { id: 'a', text: 'Ann', spans: [] };
  for (const format of WRITTEN_FORMATS) {
    const path = join(files.fresh('made'), format, 'notes');
    await writeCorpus([note], path, format);
    expect([format, modeOf(dirname(path))]).toEqual([format, 0o700]);
    const isFolder = statSync(path).isDirectory();
    if (isFolder) expect([format, modeOf(path)]).toEqual([format, 0o700]);
    const written = isFolder ? readdirSync(path).map((name) => join(path, name)) : [path];
    for (const file of written) expect([format, modeOf(file)]).toEqual([format, 0o600]);
  }
});
