import type { Piece } from '../../certification/common-pieces.js';
import type { HeldNotes, HeldSentence } from './held-notes.js';

/** A piece that a held sentence left as if it was contributed. */
export interface HeldPiece {
  /** Equal for equal pieces of sentences that the attacker cannot tell apart. */
  readonly key: string;
  readonly sentence: HeldSentence;
  readonly piece: Piece;
}

/** The pieces of all different held sentences, by the key of the sentence. */
export function heldPieces({ notes }: Pick<HeldNotes, 'notes'>): Map<string, HeldPiece[]> {
  const sentences = notes.flatMap((note) => note.sentences);
  return new Map(
    sentences.map((sentence) => [
      sentence.key,
      sentence.pieces.map((piece, i) => ({ key: `${i}/${sentence.key}`, sentence, piece })),
    ]),
  );
}
