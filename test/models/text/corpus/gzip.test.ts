import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { WRITTEN_FORMATS } from '../../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import { TacetError } from '../../../../proto/errors.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const xml = '<?xml version="1.0"?>\n<a><TEXT>Ann</TEXT><TAGS/></a>';
const tooLong = gzipSync(Buffer.alloc(50_000_001, 0x61));

describe('gzip', () => {
  test('is known by its content, whatever the name', async () => {
    const directory = files.write({
      'a.xml.gz': gzipSync(xml),
      'b.jsonl': gzipSync('{"text":"Ann"}\n{"text":"Ann"}'),
      'c.txt.gz': 'Ann',
      'd.txt': gzipSync('Ann'),
      'd.ann.gz': gzipSync('T1\tNAME 0 3\tAnn'),
      'e.conll.gz': gzipSync('Ann O\n'),
      'f.json.gz': gzipSync('[{"full_text":"Ann","spans":[]}]'),
      'g.txt.gz': gzipSync('Ann B-PER\nran O\n'),
    });
    const documents = await readAll(directory);
    expect(documents.map(({ id }) => id)).toEqual([
      'a',
      'b-1',
      'b-2',
      'c',
      'd',
      'e',
      'template-none-1',
      'g',
    ]);
    expect(documents.map(({ text }) => text.slice(0, 3))).toEqual(Array(8).fill('Ann'));
    expect(documents.at(-1)?.text).toBe('Ann ran');
    expect(documents[4]?.spans).toHaveLength(1);
  });

  test('of several members is one document', async () => {
    const members = Buffer.concat([gzipSync('Ann '), gzipSync('Lee')]);
    const [document] = await readAll(files.write({ 'a.txt': members }));
    expect(document?.text).toBe('Ann Lee');
  });

  test.each([
    ['a text', 'a.txt.gz', tooLong],
    ['a line of JSONL', 'a.jsonl.gz', tooLong],
    ['a line of columns', 'a.conll.gz', tooLong],
    ['an element of an array', 'a.json.gz', gzipSync(`["${'a'.repeat(50_000_001)}"]`)],
  ])('that unpacks to %s of more than 50 MB is refused', async (_, name, content) => {
    const reading = readAll(files.write({ [name]: content }));
    await expect(reading).rejects.toThrow(/larger than 50 MB/);
  });

  test.each([
    ['cut off', gzipSync('{"text":"Ann"}\n').subarray(0, 20)],
    ['changed', Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(30, 0xff)])],
  ])('data that are %s are bad, and the next file is read', async (_, content) => {
    for (const name of ['a.jsonl.gz', 'a.txt.gz', 'a.json']) {
      const directory = files.write({ [name]: content, 'b.txt': 'Lee' });
      await expect(readAll(directory)).rejects.toThrow(/a\.\S+: the gzip data are damaged/);
      expect(await readAll(directory, { skipBad: true })).toHaveLength(1);
    }
  });

  const corpus: Document[] = [
    { id: 'a', text: 'Ann Lee', spans: [{ type: 'PATIENT', start: 0, end: 3 }] },
    { id: 'b', text: 'Lee', spans: [] },
  ];

  test.each(WRITTEN_FORMATS)('output as %s reads back', async (format) => {
    const path = files.fresh('out.gz');
    await writeCorpus(corpus, path, format, { gzip: true });
    const read = await readAll(path);
    expect(read.map(({ id, text }) => [id, text])).toEqual([
      ['a', 'Ann Lee'],
      ['b', 'Lee'],
    ]);
    if (format !== 'text') expect(read[0]?.spans).toEqual(corpus[0]?.spans);
    const names: Partial<Record<typeof format, string>> = {
      ...{ i2b2: 'a.xml.gz', brat: 'a.ann.gz', text: 'a.txt.gz' },
      ...{ 'cas-json': 'a.json.gz', xmi: 'a.xmi.gz', webanno: 'a.tsv.gz' },
    };
    const file = names[format] ?? '';
    expect([...readFileSync(join(path, file)).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  test('output of a source that fails leaves nothing behind', async () => {
    const path = files.fresh('out.jsonl.gz');
    async function* failing() {
      for (let at = 0; at < 5000; at++) yield { id: String(at), text: 'Ann', spans: [] };
      throw new TacetError('corpus-invalid', 'the source failed');
    }
    await expect(writeCorpus(failing(), path, 'jsonl')).rejects.toThrow('the source failed');
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
  });
});
