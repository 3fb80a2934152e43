import type { Document } from '../../models/text/document.js';

const CHARACTER_BYTES = 2;
const SPAN_BYTES = 64;

/** What documents take in memory at most, about. */
export function documentBytes(documents: readonly Document[]): number {
  return documents.reduce(
    (sum, { text, spans }) => sum + CHARACTER_BYTES * text.length + SPAN_BYTES * spans.length,
    0,
  );
}
