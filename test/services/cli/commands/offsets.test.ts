import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../../../../models/text/document.js';
import {
  betweenCodePoints,
  codePointsBefore,
  hardDocuments,
} from '../../../models/text/corpus/hard-documents.js';
import { WORDS } from '../../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../../institution/publisher.js';
import { capturedRun } from '../captured-run.js';

const SAMPLE = { numRuns: 60, seed: 16 };

/** A span as a file states it, with the characters that its offsets count off in the file's text. */
interface Found {
  readonly type: string;
  readonly text: string;
}

let root: string;
let count = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-offsets-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const fresh = (name = '') => join(root, `${count++}${name}`);

/** Documents under names of their own, half of them behind a byte order mark, some words among them. */
function notes(controls: boolean): Document[] {
  return fc
    .sample(hardDocuments({ controls }), SAMPLE)
    .filter(({ text }) => text.trim() !== '')
    .map((document, index) => ({
      ...document,
      id: `note-${String(index).padStart(3, '0')}`,
      text: `${document.text} alpha ${index}`,
    }));
}

/** brat files that state offsets alone, counted here. */
function bratOf(documents: readonly Document[]): string {
  const directory = fresh();
  mkdirSync(directory);
  for (const { id, text, spans } of documents) {
    const lines = spans.map(({ type, start, end }, index) => {
      const offsets = [start, end].map((offset) => codePointsBefore(text, offset)).join(' ');
      return `T${index + 1}\t${type} ${offsets}\n`;
    });
    writeFileSync(join(directory, `${id}.txt`), text);
    writeFileSync(join(directory, `${id}.ann`), lines.join(''));
  }
  return directory;
}

function bratSpans(directory: string, id: string): Found[] {
  const text = readFileSync(join(directory, `${id}.txt`), 'utf8');
  const lines = readFileSync(join(directory, `${id}.ann`), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => {
    const [type = '', ...offsets] = (line.split('\t')[1] as string).split(/[ ;]/);
    const [start, end] = [Number(offsets[0]), Number(offsets.at(-1))];
    return { type, text: betweenCodePoints(text, start, end) };
  });
}

interface Line {
  readonly text: string;
  readonly spans: readonly {
    readonly start: number;
    readonly end: number;
    readonly label: string;
  }[];
}

const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const lineSpans = ({ text, spans }: Line): Found[] =>
  spans.map(({ start, end, label }) => ({
    type: label,
    text: betweenCodePoints(text, start, end),
  }));

const spansOf = ({ text, spans }: Document): Found[] =>
  spans.map(({ type, start, end }) => ({ type, text: text.slice(start, end) }));

describe('tacet corpus convert', () => {
  const convert = (from: string, to: string, out: string) =>
    capturedRun('corpus', 'convert', from, out, '--to', to);

  test('keeps from brat to JSONL and back text and spans, whatever the characters', async () => {
    const documents = notes(true);
    const [jsonl, brat] = [fresh('.jsonl'), fresh()];
    expect(await convert(bratOf(documents), 'jsonl', jsonl)).toMatchObject({ exit: 0 });
    expect(linesOf(jsonl).map(({ text }) => text)).toEqual(documents.map(({ text }) => text));
    expect(linesOf(jsonl).map(lineSpans)).toEqual(documents.map(spansOf));
    expect(await convert(jsonl, 'brat', brat)).toMatchObject({ exit: 0 });
    for (const document of documents) {
      expect(readFileSync(join(brat, `${document.id}.txt`), 'utf8')).toBe(document.text);
      expect(bratSpans(brat, document.id)).toEqual(spansOf(document));
    }
  });

  test('keeps from brat over XML to brat text and spans of all that XML can hold', async () => {
    const documents = notes(false);
    const [xml, brat] = [fresh(), fresh()];
    expect(await convert(bratOf(documents), 'i2b2', xml)).toMatchObject({ exit: 0 });
    expect(await convert(xml, 'brat', brat)).toMatchObject({ exit: 0 });
    for (const document of documents) {
      expect(readFileSync(join(brat, `${document.id}.txt`), 'utf8')).toBe(document.text);
      expect(bratSpans(brat, document.id)).toEqual(spansOf(document));
    }
  });

  test('says which document XML cannot hold', async () => {
    const source = bratOf([{ id: 'note', text: 'Ann\0', spans: [] }]);
    expect(await convert(source, 'i2b2', fresh())).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(
        /document 1: the character at offset 3 cannot be written in XML/,
      ),
    });
  });
});

describe('tacet deidentify', () => {
  let publisher: Publisher;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    process.env.TACET_CACHE = cacheOf(publisher.root);
  });
  afterAll(() => removePublisher(publisher));

  const deidentify = (from: string, out: string, ...options: readonly string[]) =>
    capturedRun(
      ...['--json', 'deidentify', from, out, '--model', publisher.pipeline],
      ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
      // Every token is PHI then.
      ...['--threshold', '0.000000001', ...options],
    );

  test('annotates the very file that it read, with its byte order mark and line ends', async () => {
    const documents = notes(true);
    const [source, out] = [bratOf(documents), fresh()];
    const { exit, stdout } = await deidentify(
      source,
      out,
      '--format',
      'brat',
      '--policy',
      'annotate',
    );
    expect(exit).toBe(0);
    expect(JSON.parse(stdout).spans).toBeGreaterThan(documents.length);
    for (const name of readdirSync(source).filter((each) => each.endsWith('.txt')))
      expect(readFileSync(join(out, name))).toEqual(readFileSync(join(source, name)));
    for (const { id, text } of documents) {
      const found = bratSpans(out, id);
      for (const span of found) expect(span.text).not.toMatch(/^\s|\s$|^$/);
      const left = (parts: string) => parts.replace(/[\s\u0085]/g, '');
      expect(left(found.map((span) => span.text).join(''))).toBe(left(text));
    }
  });

  test('says where its replacements stand', async () => {
    const documents = notes(true);
    const out = fresh('.jsonl');
    expect(await deidentify(bratOf(documents), out, '--format', 'jsonl')).toMatchObject({
      exit: 0,
    });
    const lines = linesOf(out);
    expect(lines.map(({ text }) => text.startsWith('\ufeff'))).toEqual(
      documents.map(({ text }) => text.startsWith('\ufeff')),
    );
    for (const line of lines)
      for (const { type, text } of lineSpans(line)) expect(text).toBe(`[${type}]`);
  });
});
