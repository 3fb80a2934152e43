import { cutPlace, labelShape, type TellsLength } from './label-shape.js';

/** Tokens of a sentence, from `start` to before `end`. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Sentences by number, from 0. */
export interface LabelledSentences {
  readonly size: number;
  /** [T], IOB2 ids. */
  labelsOf(sentence: number): Uint8Array;
}

/** Sentences of documents, which have numbers too. */
export interface SentencesOfDocuments extends LabelledSentences {
  documentOf(sentence: number): number;
  /** Whether nobody met the sentence before; all are new by default. */
  isNew?(sentence: number): boolean;
}

/**
 * Cuts sentences so that the labels of each piece are also those of pieces of `least` documents in all: labels, which
 * are shared in clear, lead to no fewer (k-anonymity, Sweeney 2002). Returns the pieces of those that do not stay
 * whole, in their order; a token or an entity that is cut to itself and is too rare as such is in none.
 *
 * Labels are the same where they differ in nothing but lengths that tell nothing. Those of most elements are looked at
 * first, and cut in two where they are too rare (`cutPlace`). Where some of the sentences with the same labels are new,
 * their documents alone are counted: who knows the others must not be left with one note's. Nothing decides but labels,
 * which document has them, and what is new.
 */
export function commonPieces(
  sentences: SentencesOfDocuments,
  least: number,
  tellsLength: TellsLength,
): Map<number, Piece[]> {
  const isNew = (sentence: number) => sentences.isNew?.(sentence) ?? true;
  const kindOf = (): Kind => {
    const withNew: number[] = [];
    const others: number[] = [];
    return {
      add(sentence) {
        const documents = isNew(sentence) ? withNew : others;
        if (documents.length >= least) return;
        const document = sentences.documentOf(sentence);
        if (!documents.includes(document)) documents.push(document);
      },
      isCommon: () => (withNew.length > 0 ? withNew : others).length >= least,
    };
  };
  return cutUntil(sentences, kindOf, tellsLength);
}

/**
 * By sentence of labels [T], the pieces that `commonPieces` left of it if it was among its sentences: as anyone works
 * out who sees the labels of all pieces that it left, `found`.
 */
export function piecesLike(
  found: Iterable<Uint8Array>,
  sentences: readonly Uint8Array[],
  tellsLength: TellsLength,
): Piece[][] {
  const known = new Set<string>();
  for (const labels of found) known.add(labelShape(labels, tellsLength).key);
  const kindOf = (key: string): Kind => ({ add() {}, isCommon: () => known.has(key) });
  const all = { size: sentences.length, labelsOf: (sentence: number) => sentences[sentence] };
  const cut = cutUntil(all, kindOf, tellsLength);
  return sentences.map(
    ({ length: end }, sentence) => cut.get(sentence) ?? (end === 0 ? [] : [{ start: 0, end }]),
  );
}

/** Pieces with the same labels, of which all are met before it is asked whether they are common. */
interface Kind {
  add(sentence: number): void;
  isCommon(): boolean;
}

interface PieceOf extends Piece {
  readonly sentence: number;
  /** See `LabelShape`. */
  readonly key: string;
}

function cutUntil(
  sentences: LabelledSentences,
  kindOf: (key: string) => Kind,
  tellsLength: TellsLength,
): Map<number, Piece[]> {
  /** By number of elements; what a piece is cut into has fewer. */
  const waiting: PieceOf[][] = [];
  const wait = (sentence: number, labels: Uint8Array, start: number, end: number) => {
    const { key, elements } = labelShape(labels, tellsLength);
    waiting[elements] ??= [];
    waiting[elements].push({ sentence, start, end, key });
  };
  for (let sentence = 0; sentence < sentences.size; sentence++) {
    const labels = sentences.labelsOf(sentence);
    wait(sentence, labels, 0, labels.length);
  }
  const cut = new Map<number, Piece[]>();
  const cutInTwo = ({ sentence, start, end }: PieceOf) => {
    const labels = sentences.labelsOf(sentence);
    const place = start + cutPlace(labels.subarray(start, end));
    wait(sentence, labels.subarray(start, place), start, place);
    wait(sentence, labels.subarray(place, end), place, end);
  };
  for (let elements = waiting.length - 1; elements > 0; elements--) {
    const met = new Map<string, { readonly kind: Kind; readonly pieces: PieceOf[] }>();
    for (const piece of waiting[elements] ?? []) {
      let alike = met.get(piece.key);
      if (!alike) {
        alike = { kind: kindOf(piece.key), pieces: [] };
        met.set(piece.key, alike);
      }
      alike.kind.add(piece.sentence);
      alike.pieces.push(piece);
    }
    for (const { kind, pieces } of met.values())
      for (const piece of pieces) {
        const { sentence, start, end } = piece;
        if (kind.isCommon()) {
          cut.get(sentence)?.push({ start, end });
          continue;
        }
        if (!cut.has(sentence)) cut.set(sentence, []);
        if (elements > 1) cutInTwo(piece);
      }
  }
  for (const pieces of cut.values()) pieces.sort((a, b) => a.start - b.start);
  return cut;
}
