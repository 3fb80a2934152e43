import { expect, test } from '@jest/globals';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { siteOrigins } from '../../../study/runs/site-origins.js';

test('documents of one template belong together within a place, and near copies everywhere', () => {
  const sentence =
    'The patient was seen in the clinic with a fever that had lasted for several days and';
  const copied = ['one', 'two', 'three'].map((day) => `${sentence} ${day} nights.`).join('\n\n');
  const siteOf = (name: string, ...texts: string[]) => ({
    name,
    documents: texts.map((text, i) => ({
      ...{ id: templateDocumentId(Math.min(i, 1), i + 1), text, spans: [] },
    })),
  });
  const origins = siteOrigins([
    siteOf('north', 'Ana slept.', 'Ana ate.', 'Ana left.'),
    siteOf('south', copied, 'Eva ate.'),
    siteOf('west', `${copied} Low.`),
  ]);
  expect([...origins.entries()].sort(([a], [b]) => a - b).map(([, origin]) => origin)).toEqual([
    0, 1, 1, 2, 3, 2,
  ]);
});
