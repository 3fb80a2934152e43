import { commonPieces, type Piece } from '../../../models/certification/common-pieces.js';

/** A sentence of a document, which a number names. */
export interface LabelsOfDocument {
  /** [T], IOB2 ids. */
  readonly labels: Uint8Array;
  readonly document: number;
  /** Whether somebody met it before. */
  readonly isMet?: boolean;
}

/** By sentence, the pieces that `commonPieces` leaves of it; one of a sentence that stays whole. */
export function piecesOfAll(
  sentences: readonly LabelsOfDocument[],
  least: number,
  tellsLength: (type: number) => boolean,
): Piece[][] {
  const at = (sentence: number) => sentences[sentence] as LabelsOfDocument;
  const all = {
    size: sentences.length,
    labelsOf: (sentence: number) => at(sentence).labels,
    documentOf: (sentence: number) => at(sentence).document,
    isNew: (sentence: number) => !at(sentence).isMet,
  };
  const cut = commonPieces(all, least, tellsLength);
  return sentences.map(
    ({ labels: { length: end } }, i) => cut.get(i) ?? (end === 0 ? [] : [{ start: 0, end }]),
  );
}
