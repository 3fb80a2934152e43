import { attributesOf, type XmlPiece } from '../xml-pieces.js';
import { BOUNDS } from './cda-rules.js';
import { isOfWholeMonths } from './hl7-time.js';
import { localName } from './local-name.js';

/** Whether the element that begins at `start` is an interval whose bounds would say by how much they moved. */
export function isCalendarInterval(pieces: readonly XmlPiece[], start: number): boolean {
  if (pieces[start]?.kind !== 'open') return false;
  const bounds = boundsOf(pieces, start);
  return isOfWholeMonths(bounds.get('low') ?? '', bounds.get('high') ?? '');
}

/** The values of the bounds of an interval, by their names; none of anything else. */
function boundsOf(pieces: readonly XmlPiece[], start: number): ReadonlyMap<string, string> {
  const bounds = new Map<string, string>();
  let depth = 1;
  for (let at = start + 1; depth > 0; at++) {
    const piece = pieces[at] as XmlPiece;
    if (piece.kind === 'close') depth--;
    if (piece.kind !== 'open' && piece.kind !== 'empty') continue;
    const bound = localName(piece);
    if (depth > 1 || !BOUNDS.has(bound)) return new Map();
    bounds.set(bound, attributesOf(piece).find(({ name }) => name === 'value')?.value ?? '');
    if (piece.kind === 'open') depth++;
  }
  return bounds;
}
