import { expect, test } from '@jest/globals';
import { labelLines } from '../../../services/cli/label-lines.js';

const PLANNED = { labelDocuments: 5, releasable: 12, released: 0, pieces: 0, uncommon: 7 };

test.each([
  [
    'a job',
    { ...PLANNED, released: 11, pieces: 20 },
    false,
    /: 11 sentences left in 20 pieces, cut once they were encoded; 7 tokens left out$/,
  ],
  ['a dry run', PLANNED, true, /: 12 sentences would leave in pieces; 7 tokens left out$/],
  ['a job whose sentences another one released', PLANNED, false, /in each piece: nothing left$/],
  ['a job that cuts nothing', { ...PLANNED, labelDocuments: 1 }, false, /sentences leave whole/],
])('%s says what became of the labels in one line', (_, counts, dryRun, line) => {
  expect(labelLines(counts, dryRun)).toEqual([expect.stringMatching(line)]);
});
