import { attributesOf, type XmlPiece } from '../xml-pieces.js';
import { localName } from './local-name.js';

/**
 * The first identifier of the record target, which is the same in all documents of a patient; of none undefined. Those of
 * elements within it are of others, such as the provider's, which all of its patients share.
 */
export function patientKey(pieces: readonly XmlPiece[]): string | undefined {
  const target = pieces.findIndex((piece) => localName(piece) === 'patientRole');
  if (target < 0 || pieces[target]?.kind === 'empty') return undefined;
  let depth = 0;
  for (const piece of pieces.slice(target + 1)) {
    if (piece.kind === 'close' && depth === 0) return undefined;
    if (depth === 0 && localName(piece) === 'id') {
      const { root = '', extension = '' } = Object.fromEntries(
        attributesOf(piece).map(({ name, value }) => [name, value]),
      );
      if (root !== '' || extension !== '') return `${root} ${extension}`;
    }
    if (piece.kind === 'open') depth++;
    if (piece.kind === 'close') depth--;
  }
  return undefined;
}
