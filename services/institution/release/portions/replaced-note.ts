import type { DrawnNote } from '../ledger/ledger-documents.js';
import type { ReadChunk } from '../notes/note-source.js';

const NAME_BYTES = 32;
const DRAWS_BYTES = 3 * NAME_BYTES;
/** Enough that no two ways of drawing a note have the same. */
const DRAWN_BYTES = 6;

/** A note at hand whose entities were replaced. */
export interface ReplacedNote {
  /** By copy, see `ReplacedDocument`; in hex. */
  readonly names: readonly string[];
  readonly drawn: DrawnNote;
}

/** Where a sentence stands once entities are replaced. */
export interface Place {
  readonly note: ReplacedNote;
  /** Of its copy. */
  readonly name: string;
  readonly ordinal: number;
}

/** Copies, since a chunk is forgotten; undefined where entities are kept. */
export function replacedNoteAt(
  { names, draws }: ReadChunk,
  note: number,
  copyCount: number,
): ReplacedNote | undefined {
  if (draws.length === 0) return undefined;
  const copies = Array.from({ length: copyCount }, (_, copy) => note * copyCount + copy);
  const drawn = copies.map((at) => {
    const own = draws.slice(at * DRAWS_BYTES, (at + 1) * DRAWS_BYTES);
    const [text, earlierText, drawn] = [0, 1, 2].map((i) =>
      own.subarray(i * NAME_BYTES, (i + 1) * NAME_BYTES),
    );
    return { text, earlierText, drawn };
  }) as unknown as DrawnNote;
  const all = Buffer.from(names.buffer, names.byteOffset, names.length);
  const own = copies.map((at) => all.toString('hex', at * NAME_BYTES, (at + 1) * NAME_BYTES));
  return { names: own, drawn };
}

export function placeAt({ places }: ReadChunk, sentence: number, note: ReplacedNote): Place {
  const copy = places[2 * sentence] as number;
  const name = note.names[copy] as string;
  return { note, name, ordinal: places[2 * sentence + 1] as number };
}

export function textOf([first]: DrawnNote): string {
  return Buffer.from(first.text).toString('latin1');
}

/** Of the first copy: where that is drawn alike, so are the others. */
export function drawnOf([{ drawn }]: DrawnNote): number {
  return Buffer.from(drawn.buffer, drawn.byteOffset, drawn.length).readUIntBE(0, DRAWN_BYTES);
}
