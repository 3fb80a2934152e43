import { createHash } from 'node:crypto';
import type { Document } from './document.js';

/** SHA-256 in hex over documents in order: whether a later run is on the same ones. */
export function documentsDigest(documents: readonly Document[]): string {
  return createHash('sha256').update(JSON.stringify(documents)).digest('hex');
}
