import {
  checkSentences,
  type EncodedSentence,
  encodedBytes,
  encodeSentenceInto,
} from './encoded-sentence.js';
import {
  BLOCK_BYTES,
  closeFrame,
  END_OF_BLOCKS,
  FRAME_OVERHEAD,
  FRAME_START,
  frame,
  MAGIC,
} from './segment-frame.js';
import { encodeFooter, encodeHeader, type SegmentShape } from './segment-header.js';
import { SpareBlocks } from './spare-blocks.js';

/** Most bytes that a block can take in the footer: two varints of at most four bytes. */
const FOOTER_BYTES_PER_BLOCK = 8;
const FIXED_BYTES = 256;

/** Packs sentences into the frames of one segment and holds no more than one block. */
export class SegmentPacker {
  #block: Buffer;
  #pendingBytes = 0;
  #pendingTokens = 0;
  #framedBytes = 0;
  #sentenceCount = 0;
  readonly #blockBytes: number[] = [];
  readonly #blockTokens: number[] = [];

  /** Whoever takes the blocks may give them back to `spare` once they are read. */
  constructor(
    readonly shape: SegmentShape,
    private readonly spare = new SpareBlocks(),
  ) {
    this.#block = spare.take();
  }

  get sentenceCount(): number {
    return this.#sentenceCount;
  }

  /** An upper limit on the bytes of the whole segment, were it ended with `more` bytes of sentence. */
  bytesWith(more: number): number {
    const blocks = this.#blockBytes.length + 2;
    const footer = FIXED_BYTES + blocks * (FOOTER_BYTES_PER_BLOCK + FRAME_OVERHEAD);
    return this.#framedBytes + this.#pendingBytes + more + footer;
  }

  /** Everything before the first block. */
  head(sentenceCount: number): Uint8Array {
    return Buffer.concat([MAGIC, frame(encodeHeader({ ...this.shape, sentenceCount }))]);
  }

  /** Throws `segment-invalid` where the sentence has another shape. Returns the block it filled. */
  add(sentence: EncodedSentence): Uint8Array | undefined {
    const bytes = encodedBytes(sentence);
    this.#reserve(bytes);
    const start = FRAME_START + this.#pendingBytes;
    encodeSentenceInto(sentence, this.#block, start);
    checkSentences(this.#block.subarray(start, start + bytes), this.shape, 2);
    return this.#count(bytes, sentence.labels.length);
  }

  /**
   * Copies the bytes from `start` to `stop`, a message with its length that was checked before. The
   * same bytes as by decoding and adding, many times faster. Returns the block it filled.
   */
  addMessage(
    source: Uint8Array,
    start: number,
    stop: number,
    tokens: number,
  ): Uint8Array | undefined {
    this.#reserve(stop - start);
    this.#block.set(source.subarray(start, stop), FRAME_START + this.#pendingBytes);
    return this.#count(stop - start, tokens);
  }

  #count(bytes: number, tokens: number): Uint8Array | undefined {
    this.#pendingBytes += bytes;
    this.#pendingTokens += tokens;
    this.#sentenceCount++;
    return this.#pendingBytes >= BLOCK_BYTES ? this.#closeBlock() : undefined;
  }

  /** The last block and everything after it. */
  tail(): Uint8Array {
    const last = this.#pendingBytes > 0 ? [this.#closeBlock()] : [];
    const footer = encodeFooter({
      sentenceCount: this.#sentenceCount,
      blockBytes: this.#blockBytes,
      blockTokens: this.#blockTokens,
    });
    const footerLength = Buffer.alloc(4);
    footerLength.writeUInt32LE(footer.length);
    return Buffer.concat([...last, END_OF_BLOCKS, frame(footer), footerLength, MAGIC]);
  }

  #reserve(bytes: number): void {
    const needed = this.#pendingBytes + bytes + FRAME_OVERHEAD;
    if (needed <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(needed);
    larger.set(this.#block);
    this.#block = larger;
  }

  #closeBlock(): Uint8Array {
    const block = closeFrame(this.#block, this.#pendingBytes);
    this.#blockBytes.push(this.#pendingBytes);
    this.#blockTokens.push(this.#pendingTokens);
    this.#framedBytes += this.#pendingBytes;
    this.#block = this.spare.take();
    this.#pendingBytes = 0;
    this.#pendingTokens = 0;
    return block;
  }
}
