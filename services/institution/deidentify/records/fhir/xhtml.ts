import { TacetError } from '../../../../../proto/errors.js';
import { BLOCK_HTML, INLINE_HTML } from '../html-elements.js';
import { withoutPhi } from '../marked-text.js';
import type { RecordContext } from '../record-context.js';
import {
  attributesOf,
  nameOf,
  tagWith,
  textPiece,
  type XmlPiece,
  xmlPieces,
} from '../xml-pieces.js';

const NUMBER = /^\d{1,5}(\.\d{1,3})?(%|px|em)?$/;
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2}|-\d{3})?$/;

/** Attributes that say how a text looks, and what each can say; others name, link or hold text. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  xmlns: /^http:\/\/www\.w3\.org\/1999\/xhtml$/,
  'xml:lang': LANGUAGE,
  lang: LANGUAGE,
  dir: /^(ltr|rtl|auto)$/,
  align: /^(left|right|center|justify|char)$/i,
  valign: /^(top|middle|bottom|baseline)$/i,
  scope: /^(row|col|rowgroup|colgroup)$/i,
  type: /^([1aAiI]|disc|circle|square)$/,
  ...Object.fromEntries(
    ['border', 'cellpadding', 'cellspacing', 'colspan', 'rowspan', 'width', 'height', 'start'].map(
      (name) => [name, NUMBER],
    ),
  ),
};

/**
 * XHTML, or HTML that is written like it, with the PHI of its text replaced; elements that HTML has not, whose
 * text stays, and attributes that are not of the look are removed and counted. Undefined where it is not well-formed or holds a script or an object.
 */
export async function markupWithoutPhi(
  markup: string,
  context: RecordContext,
  patient: string,
): Promise<string | undefined> {
  const pieces = piecesOf(markup.replace(/^\ufeff?\s*<!doctype html>/i, ''));
  if (pieces === undefined || pieces.some(isActive)) return undefined;
  const shown = pieces.filter(({ kind }) => kind !== 'comment' && kind !== 'other');
  context.counts.remove('comments', pieces.length - shown.length);
  const plain = shown.map((piece) => withKnownNames(piece, context));
  const clean = await withoutPhi(plain, context, patient);
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

function withKnownNames(piece: XmlPiece, { counts }: RecordContext): XmlPiece {
  if (piece.kind === 'text') return piece;
  if (!isHtml(nameOf(piece).toLowerCase())) {
    counts.remove('unknown');
    // Between two words, that they stay two.
    return textPiece(' ');
  }
  if (piece.kind === 'close') return piece;
  const attributes = attributesOf(piece);
  const kept = attributes.filter(({ name, value }) => isLook(name, value));
  if (kept.length === attributes.length) return piece;
  counts.remove('unknown', attributes.length - kept.length);
  return tagWith(
    piece,
    kept.map(({ source }) => source),
  );
}

/** The name of any other element is a word that somebody chose. */
function isHtml(name: string): boolean {
  return INLINE_HTML.has(name) || BLOCK_HTML.has(name);
}

function isLook(name: string, value: string): boolean {
  return Object.hasOwn(LOOKS, name) && LOOKS[name]?.test(value) === true;
}
