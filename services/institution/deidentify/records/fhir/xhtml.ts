import { TacetError } from '../../../../../proto/errors.js';
import { withoutPhi } from '../marked-text.js';
import type { RecordContext } from '../record-context.js';
import { attributesOf, tagWith, type XmlPiece, xmlPieces } from '../xml-pieces.js';

/** Attributes that say how a text looks; others name, link or hold text. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'xmlns xml:lang lang dir class align valign border cellpadding cellspacing colspan rowspan width ' +
    'height scope type start'
  ).split(' '),
);

/**
 * XHTML, or HTML that is written like it, with the PHI of its text replaced; attributes that are not of
 * the look are removed and counted. Undefined where it is not well-formed or holds a script or an object.
 */
export async function markupWithoutPhi(
  markup: string,
  context: RecordContext,
): Promise<string | undefined> {
  const pieces = piecesOf(markup.replace(/^\ufeff?\s*<!doctype html>/i, ''));
  if (pieces === undefined || pieces.some(isActive)) return undefined;
  const shown = pieces.filter(({ kind }) => kind !== 'comment' && kind !== 'other');
  context.counts.remove('comments', pieces.length - shown.length);
  const plain = shown.map((piece) => withKnownAttributes(piece, context));
  const clean = await withoutPhi(plain, context);
  return clean.map(({ source }) => source).join('');
}

function piecesOf(markup: string): XmlPiece[] | undefined {
  try {
    return xmlPieces(markup, 'the narrative');
  } catch (error) {
    if (error instanceof TacetError) return undefined;
    throw error;
  }
}

function isActive({ source }: XmlPiece): boolean {
  return /^<\/?(script|style|object|embed|iframe|img|svg|form|input|link|meta|base)[\s/>]/i.test(
    source,
  );
}

function withKnownAttributes(piece: XmlPiece, { counts }: RecordContext): XmlPiece {
  if (piece.kind !== 'open' && piece.kind !== 'empty') return piece;
  const attributes = attributesOf(piece);
  const kept = attributes.filter(({ name, value }) => ATTRIBUTES.has(name) && isPlain(value));
  if (kept.length === attributes.length) return piece;
  counts.remove('unknown', attributes.length - kept.length);
  return tagWith(
    piece,
    kept.map(({ source }) => source),
  );
}

/** A look, a number or the namespace. */
function isPlain(value: string): boolean {
  return /^[\w\s%.:/-]{0,100}$/.test(value);
}
