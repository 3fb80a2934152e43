import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CorpusFormat,
  WRITTEN_FORMATS,
  type WrittenFormat,
} from '../../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import { tokenise } from '../../../../models/text/tokeniser.js';
import { betweenCodePoints, codePointsBefore, hardDocuments } from './hard-documents.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const RUNS = { numRuns: 150 };
const NAMES: Partial<Record<WrittenFormat, string>> = {
  jsonl: 'out.jsonl',
  conll: 'out.conll',
  tsv: 'out.tsv',
  doccano: 'out.jsonl',
  'label-studio': 'out.json',
  'label-studio-predictions': 'out.json',
  bioc: 'out.xml',
  'bioc-json': 'out.json',
};

function readAs(format: WrittenFormat): CorpusFormat {
  return format === 'label-studio-predictions' ? 'label-studio' : format;
}

async function written(document: Document, format: WrittenFormat): Promise<string> {
  const path = files.fresh(NAMES[format] ?? 'out');
  await writeCorpus([document], path, format);
  return path;
}

async function roundTrip(document: Document, format: WrittenFormat): Promise<Document | undefined> {
  const [found] = await readAll(await written(document, format), { format: readAs(format) });
  return found;
}

const textsOf = ({ text, spans }: Document) =>
  spans.map(({ start, end }) => text.slice(start, end));

describe('from writer to reader', () => {
  test.each([
    ['jsonl', true],
    ['brat', true],
    ['i2b2', false],
    ['doccano', true],
    ['label-studio', true],
    ['label-studio-predictions', true],
    ['bioc', false],
    ['bioc-json', true],
    ['cas-json', true],
    ['xmi', false],
  ] as const)('%s keeps every character and every span', async (format, controls) => {
    await fc.assert(
      fc.asyncProperty(hardDocuments({ controls }), async (document) => {
        const found = await roundTrip(document, format);
        expect({ ...found, id: 'note' }).toEqual(document);
      }),
      RUNS,
    );
  });

  test('webanno keeps every character behind the first token and every span that has a token', async () => {
    await fc.assert(
      fc.asyncProperty(hardDocuments({ controls: true }), async (document) => {
        const found = await roundTrip(document, 'webanno');
        const head = document.text.length - behindSpace(document.text).length;
        const isEmpty = tokenise(document.text).length === 0;
        expect(found?.text).toBe(isEmpty ? '' : ' '.repeat(head) + behindSpace(document.text));
        expect(found && textsOf(found)).toEqual(spansOnTokens(document));
      }),
      RUNS,
    );
  });

  test('text keeps every character', async () => {
    await fc.assert(
      fc.asyncProperty(hardDocuments({ controls: true }), async (document) => {
        expect((await roundTrip(document, 'text'))?.text).toBe(document.text);
      }),
      RUNS,
    );
  });

  test.each(['conll', 'tsv'] as const)(
    '%s keeps every token and every span of tokens',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(hardDocuments({ controls: true, apart: true }), async (document) => {
          const found = await roundTrip(document, format);
          expect(tokensOf(found as Document)).toEqual(tokensOf(document));
        }),
        RUNS,
      );
    },
  );
});

/** The text from its first token on. */
function behindSpace(text: string): string {
  return text.slice(tokenise(text)[0]?.start ?? text.length);
}

/** What spans cover from the first token in them to the last. */
function spansOnTokens({ text, spans }: Document): string[] {
  const tokens = tokenise(text);
  return spans.flatMap(({ start, end }) => {
    const within = tokens.filter((token) => token.start < end && token.end > start);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [text.slice(Math.max(first.start, start), Math.min(last.end, end))];
  });
}

/** The tokens of a document, each with the number of the span that it is in. */
function tokensOf({ text, spans }: Document) {
  const tokens = tokenise(text);
  const held = spans.filter(({ start, end }) =>
    tokens.some((token) => token.start >= start && token.end <= end),
  );
  return tokens.map((token) => [
    token.text,
    held.findIndex(({ start, end }) => token.start >= start && token.end <= end),
  ]);
}

describe('offsets that are written count code points of the text that is written', () => {
  test('in brat, a byte order mark and both halves of CRLF among them', async () => {
    await fc.assert(
      fc.asyncProperty(hardDocuments({ controls: true }), async (document) => {
        const out = await written(document, 'brat');
        const text = readFileSync(join(out, 'note.txt'), 'utf8');
        const lines = readFileSync(join(out, 'note.ann'), 'utf8').split('\n').slice(0, -1);
        const covered = lines.map((line) => {
          const [, ...offsets] = (line.split('\t')[1] as string).split(/[ ;]/).map(Number);
          return betweenCodePoints(text, offsets[0] as number, offsets.at(-1) as number);
        });
        expect(text).toBe(document.text);
        expect(covered).toEqual(textsOf(document));
      }),
      RUNS,
    );
  });

  test('in JSONL', async () => {
    await fc.assert(
      fc.asyncProperty(hardDocuments({ controls: true }), async (document) => {
        const line = readFileSync(await written(document, 'jsonl'), 'utf8');
        const { text, spans } = JSON.parse(line) as {
          text: string;
          spans: { start: number; end: number }[];
        };
        expect(text).toBe(document.text);
        expect(spans.map(({ start, end }) => betweenCodePoints(text, start, end))).toEqual(
          textsOf(document),
        );
      }),
      RUNS,
    );
  });

  test('in XML', async () => {
    await fc.assert(
      fc.asyncProperty(hardDocuments(), async (document) => {
        const xml = readFileSync(join(await written(document, 'i2b2'), 'note.xml'), 'utf8');
        const found = Array.from(xml.matchAll(/ start="(\d+)" end="(\d+)"/g), ([, ...offsets]) =>
          offsets.map(Number),
        );
        const { text, spans } = document;
        expect(found).toEqual(
          spans.map(({ start, end }) => [
            codePointsBefore(text, start),
            codePointsBefore(text, end),
          ]),
        );
      }),
      RUNS,
    );
  });
});

describe('what a format cannot hold', () => {
  const secret = 'Zacarias';

  test.each(
    ['\0', '\u0001', '\uffff'].flatMap((character) =>
      (['i2b2', 'bioc', 'xmi'] as const).map((format) => [character, format] as const),
    ),
  )('is refused as XML: %j as %s', async (character, format) => {
    const document = { id: 'note', text: secret + character, spans: [] };
    await expect(written(document, format)).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(/^document 1: the character at offset 8 cannot be written/),
    });
  });

  test.each(WRITTEN_FORMATS)('is refused as %s: half of a surrogate pair', async (format) => {
    const document = { id: 'note', text: `${secret}\ud83d!`, spans: [] };
    await expect(written(document, format)).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(/^document 1: .*offset 8 cannot be written/),
    });
  });

  const halfInUtf8 = Buffer.from([0xed, 0xa0, 0xbd]);
  test.each<[string, Record<string, string | Uint8Array>]>([
    ['NUL in XML', { 'a.xml': `<a><TEXT>${secret}\0</TEXT></a>` }],
    ['a reference to NUL in XML', { 'a.xml': `<a><TEXT>${secret}&#0;</TEXT></a>` }],
    ['half of a pair in XML', { 'a.xml': `<a><TEXT>${secret}&#xD83D;</TEXT></a>` }],
    ['half of a pair in JSONL', { 'a.jsonl': `{"text":"${secret}\\ud83d"}` }],
    ['half of a pair in text', { 'a.txt': Buffer.concat([Buffer.from(secret), halfInUtf8]) }],
    [
      'half of a pair in columns',
      {
        'a.conll': Buffer.concat([Buffer.from('-DOCSTART- O\n'), halfInUtf8, Buffer.from(' O\n')]),
      },
    ],
  ])('is refused where it is read: %s', async (_, contents) => {
    const error = await readAll(files.write(contents)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'corpus-invalid' });
    expect((error as Error).message).not.toContain(secret);
  });
});

describe('a byte order mark', () => {
  test.each<[string, Record<string, string>]>([
    [
      'XML',
      {
        'a.xml':
          '\ufeff<a><TEXT>\ufeffAnn</TEXT><TAGS><N start="1" end="4" text="Ann"/></TAGS></a>',
      },
    ],
    ['brat', { 'a.txt': '\ufeffAnn', 'a.ann': '\ufeffT1\tN 1 4\tAnn\n' }],
    [
      'JSONL',
      { 'a.jsonl': '\ufeff{"text":"\ufeffAnn","spans":[{"start":1,"end":4,"label":"N"}]}' },
    ],
    [
      'Presidio’s JSON',
      {
        'a.json':
          '\ufeff[{"full_text":"\ufeffAnn","spans":[{"entity_type":"N","start_position":1,"end_position":4}]}]',
      },
    ],
  ])(
    'before a note is one of its characters in %s, before the file it is none',
    async (_, contents) => {
      expect(await readAll(files.write(contents))).toMatchObject([
        { text: '\ufeffAnn', spans: [{ type: 'N', start: 1, end: 4 }] },
      ]);
    },
  );

  test('that offsets were not counted with is found by the text that they state', async () => {
    const contents = { 'a.txt': '\ufeffAnn', 'a.ann': 'T1\tN 0 3\tAnn\n' };
    expect(await readAll(files.write(contents))).toMatchObject([
      { text: '\ufeffAnn', spans: [{ start: 1, end: 4 }] },
    ]);
  });

  test('changes no token, sentence or digest of the documents', async () => {
    const { documentsDigest } = await import('../../../../models/text/documents-digest.js');
    const plain = { id: 'a', text: 'Ann Lee', spans: [{ type: 'N', start: 0, end: 3 }] };
    const marked = { id: 'a', text: '\ufeffAnn Lee', spans: [{ type: 'N', start: 1, end: 4 }] };
    expect(tokenise(marked.text).map(({ text }) => text)).toEqual(['Ann', 'Lee']);
    expect(documentsDigest([marked])).toBe(documentsDigest([plain]));
  });
});

test('offsets outside the text are refused where no stated text shows another way to count', async () => {
  const line = JSON.stringify({ text: '😀😀 Ann', spans: [{ start: 5, end: 8, label: 'N' }] });
  await expect(readAll(files.write({ 'a.jsonl': line }))).rejects.toMatchObject({
    code: 'corpus-invalid',
    message: expect.stringMatching(/5-8 is outside the text, which has 6 characters/),
  });
});
