import { nameOf, type XmlPiece } from '../xml-pieces.js';

/** Of an element, without its prefix. */
export function localName(piece: XmlPiece): string {
  return nameOf(piece).replace(/^.*:/, '');
}
