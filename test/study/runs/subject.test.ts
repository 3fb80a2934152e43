import { beforeAll, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { Subject } from '../../../study/runs/subject.js';
import { toyTarget } from '../../models/attacks/toy-target.js';

beforeAll(() => useBackend());

test('pairs that were learned from say which of their documents are of one template', async () => {
  const target = await toyTarget({ sentences: [8, 4, 4] });
  const trainDocuments = [0, 1].map((i) => ({
    ...{ id: templateDocumentId(1, i + 1), text: `Seen ${i}`, spans: [] },
  }));
  const subject = { target: async () => target, notes: { train: target.train, trainDocuments } };
  const { trials, origins } = await Subject.prototype.learnedPairs.call(
    subject as unknown as Subject,
    {},
  );
  const documents = new Set(trials.map(({ example }) => example.documentIndex));
  expect([...documents].map((index) => origins?.get(index))).toEqual([0, 0]);
});
