import { groupedBy } from '../../platform/grouped-by.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from '../training/data/examples.js';

/**
 * The examples of every k-th document, for a share of 1/k. A share of 1/4 is then a part of that of 1/2,
 * so that curves over shares compare the same notes.
 */
export function shareOfNotes(
  examples: readonly TextExample[],
  share: number,
): { examples: TextExample[]; documents: number } {
  const indices = [...new Set(examples.map(({ documentIndex }) => documentIndex))];
  const kept = new Set(indices.filter((_, i) => i % Math.round(1 / share) === 0));
  return {
    examples: examples.filter(({ documentIndex }) => kept.has(documentIndex)),
    documents: kept.size,
  };
}

/** Documents drawn whole by chance, until they have so many examples or none is left; in the order that they had. */
export function someNotes(
  examples: readonly TextExample[],
  least: number,
  random: Random,
): TextExample[] {
  const documents = [...groupedBy(examples, ({ documentIndex }) => documentIndex)];
  random.shuffle(documents);
  const drawn = new Set<number>();
  let count = 0;
  for (const [documentIndex, own] of documents) {
    if (count >= least) break;
    drawn.add(documentIndex);
    count += own.length;
  }
  return examples.filter(({ documentIndex }) => drawn.has(documentIndex));
}
