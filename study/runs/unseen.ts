import { withoutByteOrderMark } from '../../models/text/byte-order-mark.js';
import type { Document } from '../../models/text/document.js';
import { nearCopiesOf } from '../../models/text/near-copies.js';
import { TacetError } from '../../proto/errors.js';

type Text = Pick<Document, 'text' | 'sentences'>;

/** Documents of a place that are measured on. */
export interface MeasuredSite {
  readonly name: string;
  readonly documents: readonly Text[];
  /** Those that they were drawn from, by whose order they are numbered for people. */
  readonly drawnFrom?: readonly Text[];
}

/**
 * Throws `corpus-invalid` where a document that is measured on is one of those that are learned from, by its text without
 * a byte order mark, as `documentsDigest` has it, or nearly the same as one of them (`NearCopies`).
 */
export function requireUnseen(learned: readonly Text[], measured: readonly Text[]): void {
  requireOthers(learned, measured, 'the held-out documents');
}

/** The same of several places. */
export function requireUnseenSites(
  learned: readonly Text[],
  measured: readonly MeasuredSite[],
): void {
  for (const { name, documents, drawnFrom } of measured)
    requireOthers(learned, documents, `the documents of ${name} that are measured on`, drawnFrom);
}

/** Which of the documents that are measured on, by index, are such. */
export function seenAmong(learned: readonly Text[], measured: readonly Text[]): Set<number> {
  const texts = new Set(learned.map(textOf));
  const near = nearCopiesOf(learned, measured);
  const indices = measured.flatMap((document, i) =>
    near.has(i) || texts.has(textOf(document)) ? [i] : [],
  );
  return new Set(indices);
}

function requireOthers(
  learned: readonly Text[],
  measured: readonly Text[],
  what: string,
  drawnFrom = measured,
): void {
  const indices = seenAmong(learned, measured);
  if (indices.size === 0) return;
  const seen = measured.filter((_, i) => indices.has(i));
  const numbers = seen.map((document) => drawnFrom.indexOf(document) + 1);
  throw new TacetError(
    'corpus-invalid',
    `${seen.length} of ${what} are among those of training, or nearly the same as one of them: hold others out, or leave ` +
      `what is like them out of training; in the order read they are number ${numbersText(numbers)}`,
  );
}

/** As many documents are told by their numbers. */
const NAMED = 10;

/** `3, 7`, and of many the first, for people. */
export function numbersText(numbers: readonly number[]): string {
  return `${numbers.slice(0, NAMED).join(', ')}${numbers.length > NAMED ? ', ...' : ''}`;
}

function textOf({ text }: Text): string {
  return withoutByteOrderMark(text).normalize('NFC');
}
