import { expect, test } from '@jest/globals';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { trainingOrigins } from '../../../models/training/training-origins.js';

test('copies of documents are of the origin of these, and documents of one template of one', () => {
  const trainDocuments = [1, 1, 2].map((template, i) => ({
    ...{ id: templateDocumentId(template, i + 1), text: `Seen ${i}`, spans: [] },
  }));
  const ids = Int32Array.of(1);
  const train = Array.from({ length: 9 }, (_, documentIndex) => {
    return { ids, labels: new Uint8Array(1), documentIndex };
  });
  const origins = trainingOrigins({ train, trainDocuments });
  expect(train.map(({ documentIndex }) => origins.get(documentIndex))).toEqual([
    0, 0, 1, 0, 0, 1, 0, 0, 1,
  ]);
});
