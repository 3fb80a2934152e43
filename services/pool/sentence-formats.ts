import type { Request } from 'express';
import type { MessageWindow } from '../../pool-store/snapshots/snapshot-reader.js';
import { sentenceAt } from '../../proto/encoded-sentence.js';
import { TacetError } from '../../proto/errors.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import { SegmentPacker } from '../../proto/segment-packer.js';
import { SentenceLines } from './sentence-lines.js';

export type SentenceFormat = 'protobuf' | 'arrow' | 'ndjson';

interface Format {
  readonly type: string;
  write(header: SegmentHeader, windows: AsyncIterable<MessageWindow>): AsyncIterable<Uint8Array>;
}

/** How the sentences of a snapshot are written; the first is for who does not ask for one. */
export const SENTENCE_FORMATS: Readonly<Record<SentenceFormat, Format>> = {
  protobuf: { type: 'application/vnd.tacet.segment', write: copyMessages },
  arrow: { type: 'application/vnd.apache.arrow.stream', write: writeBatches },
  ndjson: { type: 'application/x-ndjson', write: writeLines },
};

/** The format that a request's `Accept` prefers (RFC 9110, 12.5.1). Throws `not-acceptable`. */
export function acceptedFormat(request: Request): SentenceFormat {
  const names = Object.keys(SENTENCE_FORMATS) as SentenceFormat[];
  const types = names.map((name) => SENTENCE_FORMATS[name].type);
  const accepted = request.accepts(types);
  const format = names.find((name) => SENTENCE_FORMATS[name].type === accepted);
  if (format) return format;
  throw new TacetError('not-acceptable', `sentences are sent as ${types.join(', ')}`);
}

/**
 * The format of a segment, of any size. Messages are copied, not decoded, but for their casing where it is in clear. Its
 * head comes once the first window is there.
 */
async function* copyMessages(
  header: SegmentHeader,
  windows: AsyncIterable<MessageWindow>,
): AsyncGenerator<Uint8Array> {
  const packer = new SegmentPacker(header);
  let head = [packer.head(header.sentenceCount)];
  for await (const { bytes, messages } of windows) {
    yield* head;
    head = [];
    for (const layout of messages) {
      const { casing, start, stop, tokens } = layout;
      const block = casing
        ? packer.add(sentenceAt(bytes, layout))
        : packer.addMessage(bytes, start, stop, tokens);
      if (block) yield block;
    }
  }
  yield* head;
  yield packer.tail();
}

/** Batches are closed with the window that their messages lie in, for the next takes its buffer over. */
async function* writeBatches(
  header: SegmentHeader,
  windows: AsyncIterable<MessageWindow>,
): AsyncGenerator<Uint8Array> {
  // Of some 150 files, and seldom asked for.
  const { ArrowBatches } = await import('./arrow-batches.js');
  const batches = new ArrowBatches(header);
  for await (const { bytes, messages } of windows) {
    for (const layout of messages) yield* batches.add(bytes, layout);
    yield* batches.flush();
  }
  yield* batches.end();
}

/** A line a sentence: `{"vectors":[[...],...],"labels":[...]}`. */
async function* writeLines(
  header: SegmentHeader,
  windows: AsyncIterable<MessageWindow>,
): AsyncGenerator<Uint8Array> {
  const lines = new SentenceLines(header);
  for await (const { bytes, messages } of windows) {
    for (const layout of messages) {
      const chunk = lines.add(sentenceAt(bytes, layout));
      if (chunk) yield chunk;
    }
  }
  const last = lines.take();
  if (last.length > 0) yield last;
}
