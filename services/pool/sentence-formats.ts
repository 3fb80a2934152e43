import { decodeElements } from '../../proto/element.js';
import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import { writeSegmentStream } from '../../proto/segment.js';
import type { SegmentHeader } from '../../proto/segment-header.js';

export type SentenceFormat = 'protobuf' | 'ndjson';

interface Format {
  readonly type: string;
  write(
    header: SegmentHeader,
    sentences: AsyncIterable<EncodedSentence>,
  ): AsyncIterable<Uint8Array | string>;
}

/** How the sentences of a snapshot are written, by the `format` of the query. */
export const SENTENCE_FORMATS: Readonly<Record<SentenceFormat, Format>> = {
  protobuf: { type: 'application/vnd.tacet.segment', write: writeSegmentStream },
  ndjson: { type: 'application/x-ndjson', write: writeLines },
};

const LINES_BYTES = 65_536;

/** A line a sentence: `{"vectors":[[...],...],"casing":[...],"labels":[...]}`. */
async function* writeLines(
  { dimension, elementType }: SegmentHeader,
  sentences: AsyncIterable<EncodedSentence>,
): AsyncGenerator<string> {
  let lines = '';
  for await (const { vectors, casing, labels } of sentences) {
    const values = decodeElements(vectors, elementType);
    const rows = Array.from(casing, (_, t) => [
      ...values.subarray(t * dimension, (t + 1) * dimension),
    ]);
    lines += `${JSON.stringify({ vectors: rows, casing: [...casing], labels: [...labels] })}\n`;
    if (lines.length < LINES_BYTES) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}
