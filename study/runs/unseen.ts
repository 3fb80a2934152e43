import { withoutByteOrderMark } from '../../models/text/byte-order-mark.js';
import type { Document } from '../../models/text/document.js';
import { TacetError } from '../../proto/errors.js';

type Text = Pick<Document, 'text'>;

/**
 * Throws `corpus-invalid` where a document that is measured on is one of those that are learned from, by its text without
 * a byte order mark, as `documentsDigest` has it; `what` it is called.
 */
export function requireUnseen(
  learned: readonly Text[],
  measured: readonly Text[],
  what = 'the held-out documents',
): void {
  requireOthers(textsOf(learned), measured, what);
}

/** The same of several places. */
export function requireUnseenSites(
  learned: readonly Text[],
  measured: readonly { readonly name: string; readonly documents: readonly Text[] }[],
): void {
  const seen = textsOf(learned);
  for (const { name, documents } of measured)
    requireOthers(seen, documents, `the documents of ${name} that are measured on`);
}

function textsOf(documents: readonly Text[]): Set<string> {
  return new Set(documents.map(({ text }) => withoutByteOrderMark(text)));
}

function requireOthers(seen: ReadonlySet<string>, measured: readonly Text[], what: string): void {
  const repeated = measured.filter(({ text }) => seen.has(withoutByteOrderMark(text))).length;
  if (repeated === 0) return;
  throw new TacetError(
    'corpus-invalid',
    `${repeated} of ${what} are among those of training; hold others out, or leave them out of training`,
  );
}
