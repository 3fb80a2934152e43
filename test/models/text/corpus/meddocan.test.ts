import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import { Remarks } from '../../../../models/text/corpus/remarks.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import { CorpusStatistics } from '../../../../models/text/corpus-statistics.js';
import type { Document } from '../../../../models/text/document.js';
import { tokenise } from '../../../../models/text/tokeniser.js';
import { dataAt } from '../../../shared-data.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const directory = dataAt('meddocan');
const files = new TemporaryFiles();
afterAll(() => files.remove());

(directory ? describe : describe.skip)('MEDDOCAN', () => {
  const path = (part: string) => join(directory ?? '', part);

  test.each([
    ['train', 500, 11_333],
    ['dev', 250, 5_801],
  ])('has all documents and spans of %s', async (part, documents, spans) => {
    const statistics = new CorpusStatistics();
    for await (const document of readCorpus(path(part))) statistics.add(document);
    const summary = statistics.summary();
    expect(summary).toMatchObject({ documents, spans });
    expect(summary.boundariesWithinTokens / (2 * spans)).toBeLessThan(0.001);
    expect(summary.spansAcrossSentences / spans).toBeLessThan(0.005);
    expect(statistics.cutTokens).toHaveLength(summary.boundariesWithinTokens);
  });

  test('is the same in XML and brat', async () => {
    for (const part of ['train', 'dev'])
      expect(await readAll(path(part))).toEqual(await readAll(path(part), { format: 'brat' }));
  });

  test('keeps every span from XML over brat, JSONL and CoNLL to XML, cut ones widened', async () => {
    const gold = await readAll(path('dev'));
    let corpus = path('dev');
    for (const format of ['brat', 'jsonl', 'conll', 'i2b2'] as const) {
      const out = files.fresh(format);
      const remarks = new Remarks();
      await writeCorpus(readCorpus(corpus), out, format, { remarks });
      expect(remarks.counts).toEqual(format === 'conll' ? { widenedSpans: 3 } : {});
      corpus = out;
    }
    const found = await readAll(corpus);
    expect(found.map(({ id }) => id)).toEqual(gold.map(({ id }) => id));
    expect(found.map(tokenSpans)).toEqual(gold.map(tokenSpans));
  });

  test('has in brat written from XML the offsets of its own brat files, byte order marks counted', async () => {
    const out = files.fresh('brat');
    await writeCorpus(readCorpus(path('dev/xml')), out, 'brat');
    const names = readdirSync(path('dev/brat')).filter((name) => name.endsWith('.txt'));
    const gold = (name: string) => readFileSync(join(path('dev/brat'), name), 'utf8');
    const ours = (name: string) => readFileSync(join(out, name), 'utf8');
    expect(names.filter((name) => gold(name).startsWith('\ufeff'))).toHaveLength(7);
    for (const name of names) {
      const annotations = name.replace(/txt$/, 'ann');
      expect(ours(name)).toBe(gold(name));
      expect(outerOffsets(ours(annotations))).toEqual(outerOffsets(gold(annotations)));
    }
  });
});

/** Type, start and end of each line of an `.ann` file, sorted. */
function outerOffsets(annotations: string): string[] {
  return Array.from(
    annotations.matchAll(/^T\d+\t(\S+) (\d+)(?:.*[ ;])?(?<= )(\d+)\t/gm),
    ([, type, start, end]) => `${type} ${start} ${end}`,
  ).sort();
}

/** The tokens of a document, and its spans as the first and last token in each. */
function tokenSpans({ text, spans }: Document) {
  const tokens = tokenise(text);
  return {
    tokens: tokens.map((token) => token.text),
    spans: spans.map(({ type, start, end }) => [
      type,
      tokens.findIndex((token) => token.end > start),
      tokens.findLastIndex((token) => token.start < end),
    ]),
  };
}
