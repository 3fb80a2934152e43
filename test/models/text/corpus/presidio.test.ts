import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArray } from '../../../../models/text/corpus/json-array.js';
import { testWithData } from '../../../shared-data.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const sample = (change: object = {}) => ({
  full_text: '😀 Ann Lee',
  masked: '😀 {{PERSON}}',
  spans: [{ entity_type: 'PERSON', entity_value: 'Ann Lee', start_position: 2, end_position: 9 }],
  template_id: 87,
  metadata: null,
  ...change,
});

describe('a presidio data set', () => {
  test('gives a document a sample, with the template first in its id', async () => {
    const content = JSON.stringify([sample(), sample({ template_id: null, spans: [] })], null, 1);
    expect(await readAll(files.write({ 'a.json': content }))).toEqual([
      { id: 'template-87-1', text: '😀 Ann Lee', spans: [{ type: 'PERSON', start: 3, end: 10 }] },
      { id: 'template-none-2', text: '😀 Ann Lee', spans: [] },
    ]);
  });

  test.each([
    ['another text', sample({ full_text: 'Zoe said no' }), /element 1: span 1: .* differs/],
    ['no text', { spans: [], note: 'Zoe' }, /element 1: the element .*'full_text'/],
    ['a span that is half', sample({ spans: [{ entity_type: 'A' }] }), /element 1: \/spans\/0 /],
  ])('with %s is refused at its element, the others read', async (_, bad, message) => {
    const directory = files.write({ 'a.json': JSON.stringify([bad, sample()]) });
    const error = await readAll(directory).catch((caught: Error) => caught);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('Zoe');
    expect(await readAll(directory, { skipBad: true })).toHaveLength(1);
  });

  testWithData(
    'is read whole: 1,500 samples of 209 templates',
    'presidio/synth_dataset_v2.json',
    async (path) => {
      const documents = await readAll(path);
      const templates = new Set(documents.map(({ id }) => id.replace(/-\d+$/, '')));
      const spans = documents.reduce((sum, document) => sum + document.spans.length, 0);
      expect([documents.length, templates.size, spans]).toEqual([1500, 209, 2863]);
    },
  );
});

async function elementsOf(content: string, cuts: readonly number[]): Promise<string[]> {
  const bytes = Buffer.from(content);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  places.sort((a, b) => a - b);
  async function* chunks() {
    for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i]);
  }
  const elements: string[] = [];
  for await (const line of readArray(chunks(), 'f')) elements.push(String(line.bytes));
  return elements;
}

describe('readArray', () => {
  test('parts any array as JSON.parse does, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.array(fc.nat()),
        fc.constantFrom('', '\t', '\n  '),
        async (values, cuts, indent) => {
          const elements = await elementsOf(JSON.stringify(values, null, indent), cuts);
          expect(elements.map((element) => JSON.parse(element))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
    );
  });

  test.each(['', ' ', '{}', '[', '[1', '[1,]', '[,1]', '[1,,2]', '[]]', '[] x', '["]', '[}]'])(
    'refuses %j with a byte offset',
    async (content) => {
      await expect(elementsOf(content, [])).rejects.toThrow(/^f: byte \d+: /);
    },
  );

  test('knows a byte order mark', async () => {
    expect(await elementsOf('\ufeff[1, 2]', [])).toEqual(['1', ' 2']);
  });
});
