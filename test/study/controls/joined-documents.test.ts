import { expect, test } from '@jest/globals';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Random } from '../../../models/tensor/random.js';
import { phiWords } from '../../../models/training/recipes.js';
import { joinedDocuments } from '../../../study/controls/joined-documents.js';
import { toyExamples, toyVocabulary } from '../../models/training/toy-notes.js';

test('notes of one template are one document to the intervals of what was joined and named', async () => {
  const vocabulary = toyVocabulary();
  const shared = toyExamples(vocabulary, 60, 1);
  const candidates = await findCandidates(vocabulary, phiWords(shared), 3);
  const joinedBy = (originOf: (documentIndex: number) => number) => {
    const origins = new Map(
      shared.map(({ documentIndex }) => [documentIndex, originOf(documentIndex)]),
    );
    return joinedDocuments({ shared, origins, own: [], vocabulary, candidates }, new Random(1));
  };
  const [alone, together] = [joinedBy((documentIndex) => documentIndex), joinedBy(() => 0)];
  expect(alone.some(({ joined: { interval } }) => interval[0] > 0)).toBe(true);
  expect(together).toEqual(
    alone.map((each) => ({
      ...each,
      joined: { ...each.joined, interval: [0, 1] },
      named: { ...each.named, interval: [0, 1] },
    })),
  );
});
