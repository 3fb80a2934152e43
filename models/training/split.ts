import type { Random } from '../tensor/random.js';
import { originOf } from '../text/corpus/template-id.js';
import type { Document } from '../text/document.js';

/** Draws a share of the items for validation, at least one; the rest trains. Order is kept. */
export function splitOff<T>(
  items: readonly T[],
  share: number,
  random: Random,
): { train: T[]; validation: T[] } {
  const order = items.map((_, i) => i);
  random.shuffle(order);
  const held = new Set(order.slice(0, Math.max(1, Math.round(items.length * share))));
  return {
    train: items.filter((_, i) => !held.has(i)),
    validation: items.filter((_, i) => held.has(i)),
  };
}

/**
 * As `splitOff`, of documents: those of one origin, a template or a note that was copied, stay together, and
 * the share is one of origins.
 */
export function splitDocuments<D extends Pick<Document, 'id'>>(
  documents: readonly D[],
  share: number,
  random: Random,
): { train: D[]; validation: D[] } {
  const origins = [...new Set(documents.map(originOf))];
  const held = new Set(splitOff(origins, share, random).validation);
  return {
    train: documents.filter((document) => !held.has(originOf(document))),
    validation: documents.filter((document) => held.has(originOf(document))),
  };
}
