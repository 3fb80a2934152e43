import {
  AsyncByteQueue,
  Float16,
  Float32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Struct,
  Uint8,
} from 'apache-arrow';
import { ELEMENT_BYTES, type ElementType } from '../../proto/element.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import type { SentenceLayout } from '../../proto/sentence-message.js';
import { columnsOf, type SentenceColumns } from './arrow-columns.js';

/** A record batch is closed by the sentence that brings its vectors to this size. */
const BATCH_BYTES = 1024 * 1024;

/** Sentences as an Apache Arrow IPC stream of record batches, a row a sentence. */
export class ArrowBatches {
  readonly #columns: SentenceColumns;
  readonly #pieces = new Pieces();
  readonly #writer = new RecordBatchStreamWriter();
  #messages: { bytes: Uint8Array; layout: SentenceLayout }[] = [];
  #bytes = 0;

  constructor(readonly header: SegmentHeader) {
    this.#columns = columnsOf(header);
    this.#writer.reset(this.#pieces, this.#columns.schema);
  }

  /** Returns what is to be sent now. `bytes` may be used for other messages after `flush`. */
  add(bytes: Uint8Array, layout: SentenceLayout): Uint8Array[] {
    this.#messages.push({ bytes, layout });
    this.#bytes += layout.vectorsStop - layout.vectorsStart;
    return this.#bytes >= BATCH_BYTES ? this.flush() : [];
  }

  /** Closes the record batch. */
  flush(): Uint8Array[] {
    if (this.#messages.length > 0) this.#writer.write(this.#batch());
    this.#messages = [];
    this.#bytes = 0;
    return this.#pieces.take();
  }

  end(): Uint8Array[] {
    const last = this.flush();
    this.#writer.finish();
    return [...last, ...this.#pieces.take()];
  }

  #batch(): RecordBatch {
    const { dimension, elementType } = this.header;
    const count = this.#messages.length;
    const offsets = new Int32Array(count + 1);
    for (const [i, { layout }] of this.#messages.entries()) {
      offsets[i + 1] = offsets[i] + layout.tokens;
    }
    const tokens = offsets[count];
    const rowBytes = dimension * ELEMENT_BYTES[elementType];
    const vectors = new Uint8Array(tokens * rowBytes);
    const labels = new Uint8Array(tokens);
    for (const [i, { bytes, layout }] of this.#messages.entries()) {
      const { vectorsStart, vectorsStop, labelsStart, tokens: length } = layout;
      vectors.set(bytes.subarray(vectorsStart, vectorsStop), offsets[i] * rowBytes);
      labels.set(bytes.subarray(labelsStart, labelsStart + length), offsets[i]);
    }
    const { schema, matrix, row, list } = this.#columns;
    const ofBytes = (data: Uint8Array) => {
      const child = makeData({ type: new Uint8(), data });
      return makeData({ type: list, length: count, valueOffsets: offsets, child });
    };
    const elements = elementsOf(vectors, elementType);
    const rows = makeData({ type: row, length: tokens, child: elements });
    const matrices = makeData({ type: matrix, length: count, valueOffsets: offsets, child: rows });
    const children = [matrices, ofBytes(labels)];
    const type = new Struct(schema.fields);
    return new RecordBatch(schema, makeData({ type, length: count, children }));
  }
}

/** Arrow and segments are both little-endian, so bytes are taken as they are. */
function elementsOf({ buffer }: Uint8Array, type: ElementType) {
  return type === 'float16'
    ? makeData({ type: new Float16(), data: new Uint16Array(buffer) })
    : makeData({ type: new Float32(), data: new Float32Array(buffer) });
}

/** Where the writer leaves what it wrote, without a queue that would grow beyond a slow reader. */
class Pieces extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  take(): Uint8Array[] {
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }
}
