import { spansOf } from '../../../../models/certification/entity.js';
import { MAX_SENTENCE_TOKENS } from '../../../../models/text/sentence-splitter.js';
import { MAX_LABELS } from '../../../../proto/encoded-sentence.js';

/** Of an entity, whatever it is. */
const ENTITY = MAX_LABELS;
/** Frames that no row has. */
const MARKS = MAX_LABELS + 1;
const FIRST_BYTES = 2 ** 16;
const FIRST_FRAMES = 2 ** 12;

/**
 * The framed keys of a vocabulary's rows, as bytes behind each other, so that the hash of a sentence takes no
 * text that would have to be put together first. A sentence is given as places: where each piece begins and ends.
 */
export class RowFrames {
  #bytes = Buffer.alloc(FIRST_BYTES);
  /** Where each frame begins, and the last ends. */
  #starts = new Int32Array(FIRST_FRAMES);
  #count = 0;
  /** Of the sentence at hand. */
  readonly #places = new Int32Array(2 * MAX_SENTENCE_TOKENS);

  constructor() {
    for (let type = 0; type < MAX_LABELS; type++) this.add(` type ${type}`);
    this.add(' entity');
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** How many rows have one. */
  get size(): number {
    return this.#count - MARKS;
  }

  /** The frame of the next row. */
  add(frame: string): void {
    const start = this.#starts[this.#count] as number;
    const most = start + 3 * frame.length;
    if (most > this.#bytes.length) {
      const larger = Buffer.alloc(2 * most);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    if (this.#count + 2 > this.#starts.length) {
      const longer = new Int32Array(2 * this.#starts.length);
      longer.set(this.#starts);
      this.#starts = longer;
    }
    this.#count++;
    this.#starts[this.#count] = start + this.#bytes.write(frame, start, 'utf8');
  }

  /** Forgets the rows. */
  clear(): void {
    this.#count = MARKS;
  }

  /** A view that is valid until the next call. */
  placesOf(rows: Int32Array): Int32Array {
    for (let t = 0; t < rows.length; t++) this.#put(t, MARKS + (rows[t] as number));
    return this.#places.subarray(0, 2 * rows.length);
  }

  /**
   * As `placesOf`, with one mark for each entity of `labels` instead of its rows: the same for all types, which another
   * scheme would number otherwise. Ledgers of version 9 and before had one by `typeOf` the entity's first label.
   */
  maskedPlacesOf(
    rows: Int32Array,
    labels: Uint8Array,
    typeOf: (label: number) => number = () => ENTITY,
  ): Int32Array {
    let pieces = 0;
    let t = 0;
    for (const { start, end } of spansOf(labels)) {
      while (t < start) this.#put(pieces++, MARKS + (rows[t++] as number));
      this.#put(pieces++, typeOf(labels[start] as number));
      t = end;
    }
    while (t < rows.length) this.#put(pieces++, MARKS + (rows[t++] as number));
    return this.#places.subarray(0, 2 * pieces);
  }

  #put(piece: number, frame: number): void {
    this.#places[2 * piece] = this.#starts[frame] as number;
    this.#places[2 * piece + 1] = this.#starts[frame + 1] as number;
  }
}
