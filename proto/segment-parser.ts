import { type CheckedSentence, decodeSentences } from './encoded-sentence.js';
import { TacetError } from './errors.js';
import { FRAME_OVERHEAD, frameLength, MAGIC, openFrame } from './segment-frame.js';
import { decodeFooter, decodeHeader, type SegmentHeader } from './segment-header.js';

/** What a whole segment was found to hold. */
export interface SegmentCounts {
  readonly bytes: number;
  readonly sentences: number;
  readonly tokens: number;
}

/**
 * Reads a segment from chunks of any size, holding one block at a time. Every block is checked
 * against its checksum before a sentence of it is returned; `end` says whether the segment is whole.
 */
export class SegmentParser {
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #offset = 0;
  #state: 'magic' | 'header' | 'blocks' | 'footer' | 'trailer' | 'end' = 'magic';
  #header: SegmentHeader | undefined;
  #sentences = 0;
  #footerBytes = 0;
  readonly #blockBytes: number[] = [];
  readonly #blockTokens: number[] = [];

  /** Known once enough bytes were pushed. */
  get header(): SegmentHeader | undefined {
    return this.#header;
  }

  /**
   * Yields the sentences that `chunk` completes, as views into it where it holds their whole block.
   * Once all are consumed the chunk may be reused. Throws `segment-invalid`.
   */
  *push(chunk: Uint8Array): Generator<CheckedSentence> {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    for (let bytes = this.#next(); bytes; bytes = this.#next()) {
      if (this.#state === 'blocks' && this.#header) yield* this.#block(bytes, this.#header);
      else this.#part(bytes);
    }
    if (this.#state === 'end' && this.#buffered > 0) this.#fail('holds bytes after its end');
    const rest = this.#chunks.pop();
    if (rest) this.#chunks.push(Uint8Array.prototype.slice.call(rest));
  }

  /** Throws `segment-invalid` unless the segment came to its end. */
  end(): SegmentCounts {
    if (this.#state !== 'end') this.#fail('breaks off');
    const tokens = this.#blockTokens.reduce((sum, count) => sum + count, 0);
    return { bytes: this.#offset, sentences: this.#sentences, tokens };
  }

  #part(bytes: Uint8Array): void {
    switch (this.#state) {
      case 'magic':
        if (Buffer.compare(bytes, MAGIC) !== 0) this.#fail('does not start as one');
        this.#state = 'header';
        return;
      case 'header':
        this.#header = decodeHeader(openFrame(bytes, MAGIC.length));
        this.#state = 'blocks';
        return;
      case 'footer':
        this.#footer(openFrame(bytes, this.#offset - bytes.length));
        this.#state = 'trailer';
        return;
      default:
        this.#trailer(bytes);
        this.#state = 'end';
    }
  }

  *#block(bytes: Uint8Array, header: SegmentHeader): Generator<CheckedSentence> {
    if (bytes.length < FRAME_OVERHEAD) {
      this.#state = 'footer';
      return;
    }
    const payload = openFrame(bytes, this.#offset - bytes.length);
    let tokens = 0;
    for (const sentence of decodeSentences(payload, header)) {
      tokens += sentence.casing.length;
      this.#sentences++;
      yield sentence;
    }
    this.#blockBytes.push(payload.length);
    this.#blockTokens.push(tokens);
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
    if (length !== this.#footerBytes || Buffer.compare(bytes.subarray(4), MAGIC) !== 0) {
      this.#fail('does not end as one');
    }
  }

  /** The bytes of the next part, or undefined until they are all here. */
  #next(): Uint8Array | undefined {
    const wanted = this.#wanted();
    return wanted > 0 && wanted <= this.#buffered ? this.#take(wanted) : undefined;
  }

  #wanted(): number {
    if (this.#state === 'magic') return MAGIC.length;
    if (this.#state === 'trailer') return 4 + MAGIC.length;
    if (this.#state === 'end' || this.#buffered < 4) return 0;
    const length = frameLength(this.#peek(4), this.#offset);
    return length === 0 && this.#state === 'blocks' ? 4 : length + FRAME_OVERHEAD;
  }

  /** The next `count` bytes, which have arrived; a copy only where they lie in several chunks. */
  #peek(count: number): Uint8Array {
    const first = this.#chunks[0];
    if (first && first.length >= count) return first.subarray(0, count);
    return Buffer.concat(this.#chunks, count);
  }

  #take(count: number): Uint8Array {
    const bytes = this.#peek(count);
    let left = count;
    while (left > 0) {
      const first = this.#chunks.shift() as Uint8Array;
      if (first.length > left) this.#chunks.unshift(first.subarray(left));
      left -= Math.min(left, first.length);
    }
    this.#buffered -= count;
    this.#offset += count;
    return bytes;
  }

  #fail(fault: string): never {
    throw new TacetError('segment-invalid', `the segment ${fault}, at byte ${this.#offset}`);
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
