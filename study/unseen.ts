import type { Document } from '../models/text/document.js';
import { TacetError } from '../proto/errors.js';

/** Throws `corpus-invalid` where a document that is measured on is one of those that are learned from; `what` it is called. */
export function requireUnseen(
  learned: readonly Pick<Document, 'text'>[],
  measured: readonly Pick<Document, 'text'>[],
  what = 'the held-out documents',
): void {
  const seen = new Set(learned.map(({ text }) => text));
  const repeated = measured.filter(({ text }) => seen.has(text)).length;
  if (repeated === 0) return;
  throw new TacetError(
    'corpus-invalid',
    `${repeated} of ${what} are among those of training; hold others out`,
  );
}
