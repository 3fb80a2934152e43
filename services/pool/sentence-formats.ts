import type { MessageWindow } from '../../pool-store/snapshot-reader.js';
import { decodeElements } from '../../proto/element.js';
import { type EncodedSentence, sentenceAt } from '../../proto/encoded-sentence.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import { SegmentPacker } from '../../proto/segment-packer.js';

export type SentenceFormat = 'protobuf' | 'ndjson';

interface Format {
  readonly type: string;
  write(
    header: SegmentHeader,
    windows: AsyncIterable<MessageWindow>,
  ): AsyncIterable<Uint8Array | string>;
}

/** How the sentences of a snapshot are written, by the `format` of the query. */
export const SENTENCE_FORMATS: Readonly<Record<SentenceFormat, Format>> = {
  protobuf: { type: 'application/vnd.tacet.segment', write: copyMessages },
  ndjson: { type: 'application/x-ndjson', write: writeLines },
};

const LINES_BYTES = 65_536;

/** The format of a segment, of any size. Messages are copied as they are, not decoded. */
async function* copyMessages(
  header: SegmentHeader,
  windows: AsyncIterable<MessageWindow>,
): AsyncGenerator<Uint8Array> {
  const packer = new SegmentPacker(header);
  yield packer.head(header.sentenceCount);
  for await (const { bytes, messages } of windows) {
    for (const { start, stop, tokens } of messages) {
      const block = packer.addMessage(bytes, start, stop, tokens);
      if (block) yield block;
    }
  }
  yield packer.tail();
}

/** A line a sentence: `{"vectors":[[...],...],"casing":[...],"labels":[...]}`. */
async function* writeLines(
  header: SegmentHeader,
  windows: AsyncIterable<MessageWindow>,
): AsyncGenerator<string> {
  let lines = '';
  for await (const { bytes, messages } of windows) {
    for (const layout of messages) {
      lines += lineOf(sentenceAt(bytes, layout), header);
      if (lines.length < LINES_BYTES) continue;
      yield lines;
      lines = '';
    }
  }
  if (lines !== '') yield lines;
}

function lineOf({ vectors, casing, labels }: EncodedSentence, header: SegmentHeader): string {
  const { dimension, elementType } = header;
  const values = decodeElements(vectors, elementType);
  const rows = Array.from(casing, (_, t) => [
    ...values.subarray(t * dimension, (t + 1) * dimension),
  ]);
  return `${JSON.stringify({ vectors: rows, casing: [...casing], labels: [...labels] })}\n`;
}
