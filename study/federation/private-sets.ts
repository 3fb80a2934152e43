import type { Random } from '../../models/tensor/random.js';
import { keptTogether } from '../../models/text/corpus/kept-together.js';
import type { Document } from '../../models/text/document.js';
import { requireOrigins } from '../../models/training/data/split.js';

/**
 * Parts documents into so many disjoint sets of like length of text: in an order drawn by chance, each goes to
 * the set that holds the least, with all of its origin. Throws `corpus-invalid` where there are fewer origins than sets.
 */
export function privateSets(
  documents: readonly Document[],
  count: number,
  random: Random,
): Document[][] {
  const sets = Array.from({ length: count }, () => ({ length: 0, documents: [] as Document[] }));
  const order = keptTogether(documents);
  requireOrigins(order, count, `notes for ${count} private sets`);
  random.shuffle(order);
  for (const group of order) {
    const least = sets.reduce((a, b) => (b.length < a.length ? b : a));
    least.documents.push(...group);
    for (const { text } of group) least.length += text.length;
  }
  return sets.map((set) => set.documents);
}
