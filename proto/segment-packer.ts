import { checkSentence, type EncodedSentence, encodeSentence } from './encoded-sentence.js';
import { BLOCK_BYTES, END_OF_BLOCKS, FRAME_OVERHEAD, frame, MAGIC } from './segment-frame.js';
import { encodeFooter, encodeHeader, type SegmentShape } from './segment-header.js';

/** Most bytes that a block can take in the footer: two varints of at most four bytes. */
const FOOTER_BYTES_PER_BLOCK = 8;
const FIXED_BYTES = 256;

/** Packs sentences into the frames of one segment and holds no more than one block. */
export class SegmentPacker {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #pendingTokens = 0;
  #framedBytes = 0;
  #sentenceCount = 0;
  readonly #blockBytes: number[] = [];
  readonly #blockTokens: number[] = [];

  constructor(readonly shape: SegmentShape) {}

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
  add(sentence: EncodedSentence, encoded = encodeSentence(sentence)): Uint8Array | undefined {
    checkSentence(sentence, this.shape);
    this.#pending.push(encoded);
    this.#pendingBytes += encoded.length;
    this.#pendingTokens += sentence.casing.length;
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

  #closeBlock(): Uint8Array {
    const block = frame(Buffer.concat(this.#pending));
    this.#blockBytes.push(this.#pendingBytes);
    this.#blockTokens.push(this.#pendingTokens);
    this.#framedBytes += this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#pendingTokens = 0;
    return block;
  }
}
