import { type EncodedSentence, encodedBytes, sentencesOf } from './encoded-sentence.js';
import { TacetError } from './errors.js';
import { MAX_SEGMENT_BYTES } from './segment-frame.js';
import type { SegmentHeader, SegmentShape } from './segment-header.js';
import { SegmentPacker } from './segment-packer.js';
import { type SegmentCounts, SegmentParser } from './segment-parser.js';
import type { SpareBlocks } from './spare-blocks.js';

/*
 * A segment of format 2, an immutable file named by its SHA-256:
 *
 *   magic | header | block ... block | 0 | footer | length of the footer | magic
 *
 * Header, blocks and footer are frames: length, payload, CRC-32. A block holds protobuf
 * `EncodedSentence` messages, each after its length. The last length leads a reader that seeks to
 * the footer. Format 1 differs in its magic and in its sentences, which have their casing in clear; it is
 * read, never written. A snapshot is read over HTTP in the same format, without the limit on its size.
 */

/** Gathers the sentences of one segment in memory, up to the size that a segment may have. */
export class SegmentBuilder {
  readonly #packer: SegmentPacker;
  readonly #blocks: Uint8Array[] = [];

  constructor(shape: SegmentShape, spare?: SpareBlocks) {
    this.#packer = new SegmentPacker(shape, spare);
  }

  get sentenceCount(): number {
    return this.#packer.sentenceCount;
  }

  /** Whether the sentence was taken; false where the segment is full. Throws `segment-invalid`. */
  add(sentence: EncodedSentence): boolean {
    if (this.#packer.bytesWith(encodedBytes(sentence)) > MAX_SEGMENT_BYTES) return false;
    const block = this.#packer.add(sentence);
    if (block) this.#blocks.push(block);
    return true;
  }

  /** The segment in parts that follow each other. */
  finish(): Uint8Array[] {
    return [this.#packer.head(this.#packer.sentenceCount), ...this.#blocks, this.#packer.tail()];
  }
}

/** The bytes of a segment. Throws `segment-invalid` where the sentences do not fit one. */
export function writeSegment(
  shape: SegmentShape,
  sentences: Iterable<EncodedSentence>,
): Uint8Array {
  return Buffer.concat(segmentParts(shape, sentences));
}

/** As `writeSegment`, in parts that follow each other, for whoever holds them to give back to `spare`. */
export function segmentParts(
  shape: SegmentShape,
  sentences: Iterable<EncodedSentence>,
  spare?: SpareBlocks,
): Uint8Array[] {
  const builder = new SegmentBuilder(shape, spare);
  for (const sentence of sentences) {
    if (!builder.add(sentence)) {
      throw new TacetError(
        'segment-invalid',
        `the sentences take more than the ${MAX_SEGMENT_BYTES} bytes of a segment`,
      );
    }
  }
  return builder.finish();
}

/** The same format as a stream of any size; `header.sentenceCount` sentences are expected. */
export async function* writeSegmentStream(
  header: SegmentHeader,
  sentences: Iterable<EncodedSentence> | AsyncIterable<EncodedSentence>,
): AsyncGenerator<Uint8Array> {
  const packer = new SegmentPacker(header);
  yield packer.head(header.sentenceCount);
  for await (const sentence of sentences) {
    const block = packer.add(sentence);
    if (block) yield block;
  }
  yield packer.tail();
}

export interface SegmentReading {
  readonly header: SegmentHeader;
  /** Can be called again for another pass. Throws `segment-invalid`, at the latest at the end. */
  sentences(): Generator<EncodedSentence, SegmentCounts>;
}

/** Opens a segment in memory. Throws `segment-invalid`. */
export function readSegment(bytes: Uint8Array): SegmentReading {
  if (bytes.length > MAX_SEGMENT_BYTES) throw tooLarge(MAX_SEGMENT_BYTES);
  const { header } = advance(bytes);
  return {
    header,
    *sentences() {
      const parser = new SegmentParser();
      for (const block of parser.push(bytes)) yield* sentencesOf(block, header);
      return parser.end();
    },
  };
}

export interface SegmentStream {
  readonly header: SegmentHeader;
  /**
   * One pass; a sentence is a view that lasts until the next one is asked for. Throws
   * `segment-invalid`, at the latest at the end.
   */
  sentences(): AsyncGenerator<EncodedSentence, SegmentCounts>;
  /** Lets go of the chunks, where nothing more will be read. */
  close(): Promise<void>;
}

/**
 * Opens a segment that arrives in chunks, in memory of one block. `maxBytes` is the limit of a
 * segment unless a snapshot is read. Throws `segment-invalid`.
 */
export async function readSegmentStream(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes = MAX_SEGMENT_BYTES }: { maxBytes?: number } = {},
): Promise<SegmentStream> {
  const parser = new SegmentParser();
  const blocks = parseChunks(chunks, parser, maxBytes);
  const first = await blocks.next();
  if (!parser.header) parser.end();
  const { header } = parser;
  if (!header) throw new TacetError('segment-invalid', 'the segment has no header');
  const close = async () => void (await blocks.return());
  return {
    header,
    async *sentences() {
      try {
        if (!first.done) yield* sentencesOf(first.value, header);
        for await (const block of blocks) yield* sentencesOf(block, header);
        return parser.end();
      } finally {
        await close();
      }
    },
    close,
  };
}

async function* parseChunks(
  chunks: AsyncIterable<Uint8Array>,
  parser: SegmentParser,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    yield* parser.push(chunk);
  }
}

function advance(bytes: Uint8Array): { header: SegmentHeader } {
  const parser = new SegmentParser();
  parser.push(bytes).next();
  const { header } = parser;
  if (!header) throw new TacetError('segment-invalid', 'the segment breaks off in its header');
  return { header };
}

function tooLarge(maxBytes: number): TacetError {
  return new TacetError('segment-invalid', `the segment has more than ${maxBytes} bytes`);
}
