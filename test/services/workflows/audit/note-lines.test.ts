import { expect, test } from '@jest/globals';
import { loadLabelScheme } from '../../../../models/text/label-scheme.js';
import { noteLinesOf } from '../../../../services/workflows/audit/note-lines.js';

const SCHEME = loadLabelScheme('phi-binary');

test('sentences of the free text are narrative, those of header and signature are form lines', () => {
  const text = `NAME: Ana Bell
MRN: 123

HISTORY OF PRESENT ILLNESS:
She came to us with a cough that had lasted for more than three weeks. She left.

Sincerely,
Dr. T. Sand`;
  const document = { id: 'note', text, spans: [] };
  expect(noteLinesOf(document, SCHEME)).toEqual([
    ...['form', 'form'],
    ...['narrative', 'narrative', 'narrative'],
    ...['form', 'form'],
  ]);
});
