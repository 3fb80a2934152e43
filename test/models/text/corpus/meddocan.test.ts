import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import { CorpusStatistics } from '../../../../models/text/corpus-statistics.js';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { meddocanDirectory } from '../meddocan.js';
import { readAll } from './temporary-files.js';

const directory = meddocanDirectory();
const title = directory ? 'MEDDOCAN' : 'MEDDOCAN (skipped: set TACET_DATA to the data directory)';

(directory ? describe : describe.skip)(title, () => {
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
    expect(statistics.typesUnknownTo(loadLabelScheme('meddocan'))).toEqual([]);
    expect(statistics.typesUnknownTo(loadLabelScheme('hipaa-binary'))).toEqual([]);
  });

  test('is the same in XML and brat', async () => {
    for (const part of ['train', 'dev'])
      expect(await readAll(path(part))).toEqual(await readAll(path(part), { format: 'brat' }));
  });
});
