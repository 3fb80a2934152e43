import { groupedBy } from '../../platform/grouped-by.js';
import { spansOf, typeOfLabel } from './entity.js';

/** Tokens of a sentence, from `start` to before `end`. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** A sentence of a document, which a number names. */
export interface LabelsOfDocument {
  /** [T], IOB2 ids. */
  readonly labels: Uint8Array;
  readonly document: number;
}

/** Whether the length of an entity of a type tells of its sentence; that of one that was replaced does not. */
export type TellsLength = (type: number) => boolean;

/**
 * By sentence, the pieces that it is cut into so that the labels of each are also those of pieces of `least` documents
 * in all: labels, which are shared in clear, lead to no fewer (k-anonymity, Sweeney 2002). A token or an entity that
 * is cut to itself and is too rare as such is in none.
 *
 * Labels are the same where they differ in nothing but lengths that tell nothing. The longest pieces are looked at
 * first. One that is too rare is cut where most tokens without an entity stand together: at an end of it so that a
 * power of two of them stays, between two entities in their middle. No entity is cut. Nothing decides but labels, and
 * which document has them.
 */
export function commonPieces(
  sentences: readonly LabelsOfDocument[],
  least: number,
  tellsLength: TellsLength,
): Piece[][] {
  return cutUntil(
    sentences.map(({ labels }) => labels),
    (alike) => areOfDocuments(least, alike, sentences),
    tellsLength,
  );
}

/**
 * By sentence [T] of labels, the pieces that `commonPieces` cut it into if it was among its sentences: as anyone
 * works out who sees the labels of all pieces that it found, `found`.
 */
export function piecesLike(
  found: Iterable<Uint8Array>,
  sentences: readonly Uint8Array[],
  tellsLength: TellsLength,
): Piece[][] {
  const known = new Set<string>();
  for (const labels of found) known.add(Run.whole(0, labels, tellsLength).labels);
  return cutUntil(sentences, ([{ labels }]) => known.has(labels), tellsLength);
}

/** `isCommon` is asked of all runs that have the same labels, those with most elements first. */
function cutUntil(
  sentences: readonly Uint8Array[],
  isCommon: (alike: readonly Run[]) => boolean,
  tellsLength: TellsLength,
): Piece[][] {
  const pieces: Piece[][] = sentences.map(() => []);
  /** By weight: what a run is cut into weighs less than the run. */
  const waiting: Run[][] = [];
  const wait = (run: Run) => {
    waiting[run.weight] ??= [];
    waiting[run.weight].push(run);
  };
  for (const [i, labels] of sentences.entries())
    if (labels.length > 0) wait(Run.whole(i, labels, tellsLength));
  for (let weight = waiting.length - 1; weight > 0; weight--) {
    for (const alike of groupedBy(waiting[weight] ?? [], ({ labels }) => labels).values()) {
      const areCommon = isCommon(alike);
      for (const run of alike) {
        if (areCommon) pieces[run.sentence].push(run.piece);
        else for (const part of run.parts()) wait(part);
      }
    }
  }
  for (const own of pieces) own.sort((a, b) => a.start - b.start);
  return pieces;
}

function areOfDocuments(
  least: number,
  runs: readonly Run[],
  sentences: readonly LabelsOfDocument[],
): boolean {
  if (runs.length < least) return false;
  const documents = new Set<number>();
  for (const { sentence } of runs) {
    documents.add(sentences[sentence].document);
    if (documents.size >= least) return true;
  }
  return false;
}

/** Of a token without an entity. */
const OUTSIDE = 0;
/** More than types that labels of a byte can have. */
const TYPES = 2 ** 8;

/** What of a sentence is never cut: entities, and tokens without one. */
interface Elements {
  /** [E], `OUTSIDE`, or a number that tells entities apart as far as labels do. */
  readonly kinds: readonly number[];
  /** [E + 1], the token that each begins with, and where the last ends. */
  readonly starts: readonly number[];
}

function elementsOf(labels: Uint8Array, tellsLength: TellsLength): Elements {
  const kinds: number[] = [];
  const starts: number[] = [];
  let token = 0;
  const outsideUpTo = (end: number) => {
    for (; token < end; token++) {
      kinds.push(OUTSIDE);
      starts.push(token);
    }
  };
  for (const { start, end } of spansOf(labels)) {
    outsideUpTo(start);
    const type = typeOfLabel(labels[start]);
    kinds.push(type + TYPES * (tellsLength(type) ? end - start : 0));
    starts.push(start);
    token = end;
  }
  outsideUpTo(labels.length);
  starts.push(labels.length);
  return { kinds, starts };
}

/** Elements of a sentence that stand behind each other. */
class Run {
  private constructor(
    readonly sentence: number,
    private readonly elements: Elements,
    private readonly from: number,
    private readonly to: number,
  ) {}

  static whole(sentence: number, labels: Uint8Array, tellsLength: TellsLength): Run {
    const elements = elementsOf(labels, tellsLength);
    return new Run(sentence, elements, 0, elements.kinds.length);
  }

  get weight(): number {
    return this.to - this.from;
  }

  get piece(): Piece {
    const { starts } = this.elements;
    return { start: starts[this.from], end: starts[this.to] };
  }

  /** Equal for runs whose labels are the same. */
  get labels(): string {
    let text = '';
    let outside = 0;
    for (let i = this.from; i < this.to; i++) {
      const kind = this.elements.kinds[i];
      if (kind === OUTSIDE) {
        outside++;
        continue;
      }
      text += `${outside}<${kind}>`;
      outside = 0;
    }
    return text + outside;
  }

  /** Two, of which each weighs less; none of a single element. */
  parts(): Run[] {
    if (this.weight === 1) return [];
    const cut = this.#place();
    const part = (from: number, to: number) => new Run(this.sentence, this.elements, from, to);
    return [part(this.from, cut), part(cut, this.to)];
  }

  /** Between the first element and the last. */
  #place(): number {
    const { from, to } = this.#longestOutside();
    const tokens = to - from;
    if (tokens === 0) return (this.from + this.to) >> 1;
    const left = tokens === 1 ? 0 : 2 ** Math.floor(Math.log2(tokens - 1));
    if (to === this.to) return from + left;
    return from === this.from ? to - left : (from + to) >> 1;
  }

  /** The first of the longest. */
  #longestOutside(): { from: number; to: number } {
    let longest = { from: this.from, to: this.from };
    for (let from = this.from; from < this.to; ) {
      let to = from;
      while (to < this.to && this.elements.kinds[to] === OUTSIDE) to++;
      if (to - from > longest.to - longest.from) longest = { from, to };
      from = to + 1;
    }
    return longest;
  }
}
