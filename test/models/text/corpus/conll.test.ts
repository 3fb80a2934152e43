import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConll } from '../../../../models/text/corpus/conll.js';
import { formatConll, TAG_SCHEMES } from '../../../../models/text/corpus/format-conll.js';
import { checkedDocument } from '../../../../models/text/corpus/raw-document.js';
import { readLines } from '../../../../models/text/corpus/read-bytes.js';
import { Remarks } from '../../../../models/text/corpus/remarks.js';
import type { Document, Span } from '../../../../models/text/document.js';
import { createLabelScheme } from '../../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../../models/text/labelled-sentence.js';
import { tokenise } from '../../../../models/text/tokeniser.js';
import { testWithData } from '../../../shared-data.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

async function* chunksOf(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

async function parse(content: string, remarks?: Remarks): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of parseConll(readLines(chunksOf(content)), 'f', 'f'))
    documents.push(checkedDocument(document(), { remarks }));
  return documents;
}

const PERSONS = createLabelScheme({ name: 'persons', version: '1', types: ['PER'], map: {} });

const covered = ({ text, spans }: Document) =>
  spans.map(({ type, start, end }) => `${type}=${text.slice(start, end)}`);

const column = (line: string) => line.trim().split(' ').join('\n');

describe('parseConll', () => {
  test.each([
    ['IOB2', 'B-PER I-PER B-PER O B-LOC', 'iob2Documents'],
    ['IOB1', 'I-PER I-PER B-PER O I-LOC', 'iob1Documents'],
    ['BIOES', 'B-PER E-PER S-PER O S-LOC', 'bioesDocuments'],
    ['BILOU', 'B-PER L-PER U-PER O U-LOC', 'bioesDocuments'],
  ])('reads %s and says that it is', async (_, tags, remark) => {
    const words = 'Ann Lee Bob in Rome'.split(' ');
    const lines = tags.split(' ').map((tag, at) => `${words[at]} ${tag}`);
    const remarks = new Remarks();
    const [document] = await parse(lines.join('\n'), remarks);
    expect(document && covered(document)).toEqual(['PER=Ann Lee', 'PER=Bob', 'LOC=Rome']);
    expect(remarks.counts).toEqual({ [remark]: 1 });
  });

  test('puts one blank between tokens and one line break between sentences, offsets exact', async () => {
    const content = '\ufeff\r\n\r\nCITY O\r\n \r\n😀\tO\r\nNew York\tB-LOC\r\n,\tO\r\n\r\n';
    const spans = [{ type: 'LOC', start: 8, end: 16 }];
    expect(await parse(content)).toEqual([
      { id: 'f', text: 'CITY\n😀 New York ,', spans, sentences: [0, 5] },
    ]);
  });

  test('keeps the sentences of the file through reading and writing', async () => {
    const sentences = ['No O\n. O\nIt O\nis O', 'so O\nfar O', 'Nb O', '. O\nAnn B-PER'];
    const content = `-DOCSTART- f O\n\n${sentences.join('\n\n')}\n\n`;
    const [document] = await parse(content);
    if (!document) throw new Error('there is no document');
    const split = sentencesOf(document, PERSONS, 0).map(({ tokens }) =>
      tokens.map(({ text }) => text).join(' '),
    );
    expect(split).toEqual(['No . It is', 'so far', 'Nb', '. Ann']);
    const { text } = formatConll(document, { separator: ' ' });
    expect(text.split('\n\n')[1]).toBe(sentences[0]);
    const [again] = await parse(text);
    expect(again?.sentences).toEqual(document.sentences);
  });

  test('says nothing of sentences where the file parts none', async () => {
    const [document] = await parse('Seen O\n. O\nAnn B-PER\n');
    expect(document).not.toHaveProperty('sentences');
  });

  test('takes the first of several columns as the token and the last as the tag', async () => {
    const [document] = await parse('Ann NNP I-NP B-PER\nran  VBD I-VP O\n');
    expect(document).toMatchObject({ text: 'Ann ran', spans: [{ start: 0, end: 3 }] });
  });

  test('parts documents at -DOCSTART-, named in its second column or by number', async () => {
    const content =
      '-DOCSTART- -X- O O\n\na O\n\n-DOCSTART-\tnote 7\tO\nb\tO\n-DOCSTART-\n-DOCSTART- O\nc O';
    const documents = await parse(content);
    expect(documents.map(({ id, text }) => [id, text])).toEqual([
      ['f-1', 'a'],
      ['note 7', 'b'],
      ['f-3', ''],
      ['f-4', 'c'],
    ]);
  });

  test('ends a span with its sentence, and counts tags that break the scheme', async () => {
    const remarks = new Remarks();
    const [document] = await parse('a B-X\n\nb I-X\nc I-Y\n', remarks);
    expect(document && covered(document)).toEqual(['X=a', 'X=b', 'Y=c']);
    expect(remarks.counts).toEqual({ iob2Documents: 1, irregularTags: 2 });
  });

  test.each([
    ['a line of one column', 'Zoe\n'],
    ['a tag of another kind', 'Zoe PER\n'],
    ['a tag without a type', 'Zoe B-\n'],
    ['an empty token', '\tB-PER\n'],
    ['a type with blanks', 'Zoe\tB-the Zoe\n'],
  ])('refuses %s without quoting it, and goes on with the next document', async (_, line) => {
    const directory = files.write({ 'a.conll': `-DOCSTART- O\n${line}-DOCSTART- O\nb O\n` });
    const problems: string[] = [];
    const documents = await readAll(directory, {
      skipBad: true,
      onBad: ({ message }) => problems.push(message),
    });
    expect(documents.map(({ text }) => text)).toEqual(['b']);
    expect(problems).toEqual([expect.stringMatching(/a\.conll:[12]: /)]);
    expect(problems[0]).not.toContain('Zoe');
  });

  test('refuses a document that is not UTF-8, alone', async () => {
    const latin1 = Buffer.from('-DOCSTART- \xf1 O\na O\n-DOCSTART- O\nPe\xf1a O\n', 'latin1');
    const content = Buffer.concat([latin1, Buffer.from('-DOCSTART- O\nñ O')]);
    const reading = { skipBad: true };
    const documents = await readAll(files.write({ 'a.conll': content }), reading);
    expect(documents).toEqual([{ id: 'a-3', text: 'ñ', spans: [] }]);
  });

  testWithData('reads the tags of echr-es, a sentence a line', 'echr-es', async (path) => {
    const remarks = new Remarks();
    const documents = await readAll(path, { remarks });
    expect(documents.map(({ id, spans }) => [id, spans.length])).toEqual([
      ['ES-manual-dev', 217],
      ['ES-manual-train', 1660],
    ]);
    expect(remarks.counts).toEqual({ iob2Documents: 2 });
  });
});

/** Words, line breaks and spans that may touch, cut words, or hold no token. */
const documents = fc
  .array(
    fc.record({
      text: fc.constantFrom('Ann', 'Lee.', '😀', ' ', '\n\n', 'The ', 'de la ', '1.', '. A', 'é'),
      type: fc.constantFrom(undefined, undefined, 'PER', 'LOC'),
    }),
    { maxLength: 30 },
  )
  .map((pieces): Document => {
    let text = '';
    const spans = pieces.flatMap((piece): Span[] => {
      const start = text.length;
      text += piece.text;
      return piece.type ? [{ type: piece.type, start, end: text.length }] : [];
    });
    return { id: 'note 1', text, spans };
  });

/** Spans as the tokens in them; a token that two of them share belongs to the first. */
function tokenSpans({ text, spans }: Document): string[] {
  const tokens = tokenise(text);
  let free = 0;
  return spans.flatMap(({ type, start, end }) => {
    const first = tokens.findIndex((token, at) => at >= free && token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    if (first < 0 || last < first) return [];
    free = last + 1;
    return [`${type} ${first}-${last}`];
  });
}

describe('formatConll', () => {
  test.each(TAG_SCHEMES)('in %s reads back with the same tokens and spans', async (tags) => {
    for (const separator of [' ', '\t'] as const)
      await fc.assert(
        fc.asyncProperty(documents, async (document) => {
          const { text, remarks } = formatConll(document, { tags, separator });
          const [read] = await parse(text);
          if (read === undefined) throw new Error('the document is lost');
          expect(read.id).toBe('note 1');
          const words = (from: string) => tokenise(from).map((token) => token.text);
          expect(words(read.text)).toEqual(words(document.text));
          expect(tokenSpans(read)).toEqual(tokenSpans(document));
          expect(read.spans).toHaveLength(document.spans.length - (remarks.lostSpans ?? 0));
        }),
      );
  });

  test('counts the spans that end within a token or hold none', () => {
    const spans = [
      { type: 'A', start: 0, end: 2 },
      { type: 'A', start: 2, end: 3 },
      { type: 'A', start: 3, end: 4 },
    ];
    const document = { id: 'd', text: 'Ann Lee', spans };
    const { text, remarks } = formatConll(document, { separator: ' ' });
    expect(text).toBe(`-DOCSTART- d O\n\n${column('Ann·B-A Lee·O').replaceAll('·', ' ')}\n\n`);
    expect(remarks).toEqual({ widenedSpans: 1, lostSpans: 2 });
  });

  test.each(['', 'a\tb', 'a\nb'])('refuses the id %j', (id) => {
    const formatting = () => formatConll({ id, text: '', spans: [] }, { separator: '\t' });
    expect(formatting).toThrow(expect.objectContaining({ code: 'corpus-invalid' }));
  });
});
