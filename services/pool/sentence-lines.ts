import { decodeElements, ELEMENT_BYTES, type ElementType } from '../../proto/element.js';
import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import type { SegmentHeader } from '../../proto/segment-header.js';

/** A chunk is sent once it has this size. */
const CHUNK_BYTES = 65_536;
/** At most, a number with the comma after it: a sign, a point, six zeros and 17 digits. */
const NUMBER_BYTES = 26;
/** At most, the brackets and the comma of a row, and its label with one. */
const ROW_BYTES = 8;
/** `{"vectors":[],"labels":[]}` and the end of the line. */
const LINE_BYTES = 28;
const FLOAT16_VALUES = 65_536;

/** Sentences as lines of JSON, `{"vectors":[[...],...],"labels":[...]}`, in chunks of many. */
export class SentenceLines {
  #chunk = Buffer.alloc(0);
  #length = 0;

  constructor(readonly header: SegmentHeader) {}

  /** Returns a chunk where one is full. */
  add({ vectors, labels }: EncodedSentence): Uint8Array | undefined {
    const { dimension, elementType } = this.header;
    const most = LINE_BYTES + labels.length * (ROW_BYTES + dimension * NUMBER_BYTES);
    if (this.#length + most > this.#chunk.length) this.#grow(most);
    this.#text('{"vectors":[');
    const rowBytes = dimension * ELEMENT_BYTES[elementType];
    for (let t = 0; t < labels.length; t++) {
      this.#text(t === 0 ? '[' : ',[');
      this.#row(vectors.subarray(t * rowBytes, (t + 1) * rowBytes), elementType);
      this.#text(']');
    }
    this.#text('],"labels":[');
    this.#text(labels.join(','));
    this.#text(']}\n');
    return this.#length >= CHUNK_BYTES ? this.take() : undefined;
  }

  /** What there is; empty where that is nothing. */
  take(): Uint8Array {
    const chunk = this.#chunk.subarray(0, this.#length);
    this.#chunk = Buffer.alloc(0);
    this.#length = 0;
    return chunk;
  }

  #row(row: Uint8Array, type: ElementType): void {
    if (type === 'float32') this.#text(decodeElements(row, type).join(','));
    else this.#length = copyTexts(float16Texts(), row, this.#chunk, this.#length);
  }

  #text(text: string): void {
    this.#length += this.#chunk.write(text, this.#length, 'latin1');
  }

  #grow(most: number): void {
    const chunk = Buffer.allocUnsafe(Math.max(2 * CHUNK_BYTES, this.#length + most));
    chunk.set(this.#chunk.subarray(0, this.#length));
    this.#chunk = chunk;
  }
}

/** The text of every number of a kind, by its bits, each with a comma after it: texts [n] from byte starts[n] on. */
interface NumberTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

let ofFloat16: NumberTexts | undefined;

/** There are few enough float16 to write each only once. */
function float16Texts(): NumberTexts {
  if (ofFloat16) return ofFloat16;
  const values = decodeElements(
    new Uint8Array(Uint16Array.from({ length: FLOAT16_VALUES }, (_, bits) => bits).buffer),
    'float16',
  );
  const texts = Array.from(values, (value) => `${JSON.stringify(value)},`);
  const starts = new Uint32Array(FLOAT16_VALUES + 1);
  for (const [i, text] of texts.entries()) starts[i + 1] = (starts[i] as number) + text.length;
  ofFloat16 = { bytes: Buffer.from(texts.join(''), 'latin1'), starts };
  return ofFloat16;
}

/** Writes the texts of a row of little-endian float16 without the last comma; returns where the next byte goes. */
function copyTexts(
  { bytes, starts }: NumberTexts,
  row: Uint8Array,
  target: Uint8Array,
  from: number,
): number {
  let at = from;
  for (let i = 0; i < row.length; i += 2) {
    const bits = (row[i] as number) | ((row[i + 1] as number) << 8);
    const stop = starts[bits + 1] as number;
    for (let j = starts[bits] as number; j < stop; j++) target[at++] = bytes[j] as number;
  }
  return Math.max(from, at - 1);
}
