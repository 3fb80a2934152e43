import type { TextExample } from '../training/examples.js';

/** Every so-manieth document, so that a smaller share is a part of every larger one (1/2, 1/4, …). */
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
