import { groupedBy } from '../../../platform/grouped-by.js';
import type { VectorExample } from './examples.js';

/**
 * What a released sentence counts in a loss where each note left in `copies`, each time with other entities:
 * with a label other than `O` it stands so often among the releases, without one it stands once.
 */
export function copyWeight(labels: Uint8Array, copies: number): number {
  return labels.some((label) => label !== 0) ? 1 / copies : 1;
}

/**
 * Of sentences that come in an order of chance as many as they weigh, to the nearest number and at least one of each
 * weight, in that order and without weights: about as many as there would be had each note left once.
 */
export function oneOfCopies(sentences: readonly VectorExample[]): VectorExample[] {
  const kept = new Set<VectorExample>();
  for (const [weight, alike] of groupedBy(sentences, ({ weight = 1 }) => weight)) {
    const count = Math.max(1, Math.round(alike.length * weight));
    for (const sentence of alike.slice(0, count)) kept.add(sentence);
  }
  return sentences
    .filter((sentence) => kept.has(sentence))
    .map(({ vectors, labels }) => ({ vectors, labels }));
}
