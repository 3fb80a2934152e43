import type { SquaredNorms } from './element.js';
import { checkSentences, type MessageVisitor } from './encoded-sentence.js';
import { TacetError } from './errors.js';
import {
  type Checksum,
  FRAME_OVERHEAD,
  FRAME_START,
  formatOf,
  frameLength,
  LENGTH_BYTES,
  MAGIC,
  openFrame,
  type SegmentFormat,
} from './segment-frame.js';
import { decodeFooter, decodeHeader, type SegmentHeader } from './segment-header.js';
import type { SentenceLayout } from './sentence-message.js';

/** A message that was found in order, somewhere in a block. */
export interface CheckedMessage {
  readonly block: Uint8Array;
  readonly layout: SentenceLayout;
  /** Sum of the squares of its vectors' elements. */
  readonly squaredNorm: number;
  /** Where the block begins in the segment. */
  readonly blockOffset: number;
}

/** How its sums are taken; as `proto` takes them where one is left out. */
export interface SegmentSums {
  readonly checksum?: Checksum;
  readonly norms?: SquaredNorms;
}

/** What a whole segment was found to hold. */
export interface SegmentCounts {
  readonly bytes: number;
  readonly sentences: number;
  readonly tokens: number;
}

/**
 * Reads a segment from chunks of any size, holding one block at a time. Every block is checked
 * against its checksum before its messages are; `end` says whether the segment is whole.
 */
export class SegmentParser {
  #chunk: Uint8Array = new Uint8Array(0);
  #place = 0;
  /** The start of a part whose rest is still to come, in a buffer that only grows. */
  #held: Uint8Array = new Uint8Array(0);
  #heldBytes = 0;
  #offset = 0;
  #state: 'magic' | 'header' | 'blocks' | 'footer' | 'trailer' | 'end' = 'magic';
  #format: SegmentFormat = 2;
  #header: SegmentHeader | undefined;
  #sentences = 0;
  #tokens = 0;
  #footerBytes = 0;
  #firstBlock = 0;
  readonly #blockBytes: number[] = [];
  readonly #blockTokens: number[] = [];

  /** `visit` sees each message of each block, in order, with the sum that `norms` of `sums` gives. */
  constructor(
    readonly visit?: (message: CheckedMessage) => void,
    readonly sums: SegmentSums = {},
  ) {}

  /** Known with the header. */
  get format(): SegmentFormat {
    return this.#format;
  }

  /** Where the first block's frame begins, and the bytes of each block's payload so far. */
  get blocks(): { readonly first: number; readonly bytes: readonly number[] } {
    return { first: this.#firstBlock, bytes: this.#blockBytes };
  }

  /** Known once enough bytes were pushed. */
  get header(): SegmentHeader | undefined {
    return this.#header;
  }

  /**
   * Yields the blocks that `chunk` completes, every message of which was found in order. A block is
   * a view that lasts until the next one is asked for. Throws `segment-invalid`.
   */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    this.#chunk = chunk;
    this.#place = 0;
    for (let bytes = this.#next(); bytes; bytes = this.#next()) {
      if (this.#state === 'blocks' && this.#header) yield* this.#block(bytes, this.#header);
      else this.#part(bytes);
    }
    if (this.#state === 'end' && this.#left > 0) this.#fail('holds bytes after its end');
  }

  /** Throws `segment-invalid` unless the segment came to its end. */
  end(): SegmentCounts {
    if (this.#state !== 'end') this.#fail('breaks off');
    return { bytes: this.#offset, sentences: this.#sentences, tokens: this.#tokens };
  }

  #part(bytes: Uint8Array): void {
    switch (this.#state) {
      case 'magic':
        this.#format = formatOf(bytes) ?? this.#fail('does not start as one');
        this.#state = 'header';
        return;
      case 'header':
        this.#header = decodeHeader(openFrame(bytes, MAGIC.length, this.sums.checksum));
        this.#firstBlock = this.#offset;
        this.#state = 'blocks';
        return;
      case 'footer':
        this.#footer(openFrame(bytes, this.#offset - bytes.length, this.sums.checksum));
        this.#state = 'trailer';
        return;
      default:
        this.#trailer(bytes);
        this.#state = 'end';
    }
  }

  *#block(bytes: Uint8Array, header: SegmentHeader): Generator<Uint8Array> {
    if (bytes.length < FRAME_OVERHEAD) {
      this.#state = 'footer';
      return;
    }
    const start = this.#offset - bytes.length;
    const payload = openFrame(bytes, start, this.sums.checksum);
    const blockOffset = start + FRAME_START;
    const before = this.#tokens;
    const visit: MessageVisitor = (block, layout, squaredNorm) => {
      this.#tokens += layout.tokens;
      this.#sentences++;
      this.visit?.({ block, layout, squaredNorm, blockOffset });
    };
    checkSentences(payload, header, this.#format, visit, this.sums.norms);
    this.#blockBytes.push(payload.length);
    this.#blockTokens.push(this.#tokens - before);
    yield payload;
  }

  #footer(payload: Uint8Array): void {
    const footer = decodeFooter(payload);
    const agrees =
      footer.sentenceCount === this.#sentences &&
      this.#header?.sentenceCount === this.#sentences &&
      sameNumbers(footer.blockBytes, this.#blockBytes) &&
      sameNumbers(footer.blockTokens, this.#blockTokens);
    if (!agrees) this.#fail('holds other counts than its header and footer state');
    this.#footerBytes = payload.length;
  }

  #trailer(bytes: Uint8Array): void {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (length !== this.#footerBytes || formatOf(bytes.subarray(4)) !== this.#format) {
      this.#fail('does not end as one');
    }
  }

  /** The bytes of the next part, or undefined until they are all here. */
  #next(): Uint8Array | undefined {
    const wanted = this.#wanted();
    if (wanted === 0 || !this.#gather(wanted)) return undefined;
    const bytes = this.#gathered(wanted);
    if (this.#heldBytes === 0) this.#place += wanted;
    this.#heldBytes = 0;
    this.#offset += wanted;
    return bytes;
  }

  /** 0 where that is not known yet, and at the end. */
  #wanted(): number {
    if (this.#state === 'magic') return MAGIC.length;
    if (this.#state === 'trailer') return LENGTH_BYTES + MAGIC.length;
    if (this.#state === 'end' || !this.#gather(LENGTH_BYTES)) return 0;
    const length = frameLength(this.#gathered(LENGTH_BYTES), this.#offset);
    const isLast = length === 0 && this.#state === 'blocks';
    return isLast ? LENGTH_BYTES : length + FRAME_OVERHEAD;
  }

  get #left(): number {
    return this.#chunk.length - this.#place;
  }

  /** Whether the next `count` bytes are here; what has come of them is held where they are not. */
  #gather(count: number): boolean {
    const missing = count - this.#heldBytes;
    if (missing <= 0) return true;
    if (this.#heldBytes === 0 && this.#left >= count) return true;
    const taken = Math.min(missing, this.#left);
    this.#reserve(this.#heldBytes + taken);
    this.#held.set(this.#chunk.subarray(this.#place, this.#place + taken), this.#heldBytes);
    this.#heldBytes += taken;
    this.#place += taken;
    return taken === missing;
  }

  /** Bytes that `gather` found; copied only where they came in several chunks. */
  #gathered(count: number): Uint8Array {
    if (this.#heldBytes > 0) return this.#held.subarray(0, count);
    return this.#chunk.subarray(this.#place, this.#place + count);
  }

  /** Grows with what has arrived, never by what a length field announces. */
  #reserve(bytes: number): void {
    if (bytes <= this.#held.length) return;
    const larger = new Uint8Array(Math.max(bytes, 2 * this.#held.length));
    larger.set(this.#held.subarray(0, this.#heldBytes));
    this.#held = larger;
  }

  #fail(fault: string): never {
    throw new TacetError('segment-invalid', `the segment ${fault}, at byte ${this.#offset}`);
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
