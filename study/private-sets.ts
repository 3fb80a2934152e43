import type { Random } from '../models/tensor/random.js';
import type { Document } from '../models/text/document.js';

/**
 * Parts documents into so many disjoint sets of like length of text: in an order drawn by chance, each goes to
 * the set that holds the least.
 */
export function privateSets(
  documents: readonly Document[],
  count: number,
  random: Random,
): Document[][] {
  const sets = Array.from({ length: count }, () => ({ length: 0, documents: [] as Document[] }));
  const order = [...documents];
  random.shuffle(order);
  for (const document of order) {
    const least = sets.reduce((a, b) => (b.length < a.length ? b : a));
    least.documents.push(document);
    least.length += document.text.length;
  }
  return sets.map((set) => set.documents);
}
