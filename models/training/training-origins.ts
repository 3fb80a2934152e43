import type { Origins } from '../statistics/origins.js';
import { originsOf } from '../text/corpus/kept-together.js';
import type { PreparedNotes } from './recipes.js';

/** Of the documents of `train`, which belong together; a copy of a document is of its origin. */
export function trainingOrigins({
  train,
  trainDocuments,
}: Pick<PreparedNotes, 'train' | 'trainDocuments'>): Origins {
  const origins = originsOf(trainDocuments);
  const count = trainDocuments.length;
  return new Map(
    train.map(({ documentIndex }) => [documentIndex, origins.get(documentIndex % count) as number]),
  );
}
