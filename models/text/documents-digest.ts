import { sha256Hex } from '../../proto/digest.js';
import { BYTE_ORDER_MARK } from './byte-order-mark.js';
import type { Document } from './document.js';

/**
 * SHA-256 in hex over documents in order: whether a later run is on the same ones. A byte order mark,
 * which is no token and which some copies of a file have, makes no other document.
 */
export function documentsDigest(documents: readonly Document[]): string {
  const unmarked = documents.map(withoutMark);
  return sha256Hex(JSON.stringify(unmarked));
}

function withoutMark({ id, text, spans, sentences }: Document): Document {
  const shift = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return {
    id,
    text: text.slice(shift),
    spans: spans.map(({ type, start, end }) => ({ type, start: start - shift, end: end - shift })),
    ...(sentences && { sentences: sentences.map((start) => Math.max(0, start - shift)) }),
  };
}
