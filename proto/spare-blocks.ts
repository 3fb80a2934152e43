import { BLOCK_BYTES } from './segment-frame.js';

/** Room in a block for the sentence that closes it; longer ones make the block grow. */
const LAST_SENTENCE_BYTES = 64 * 1024;
const ROOM_BYTES = BLOCK_BYTES + LAST_SENTENCE_BYTES;

/**
 * The memory of blocks that nobody reads any more, for other ones: new memory costs a fault for each of its
 * pages, and what was left of it has V8 collect all garbage.
 */
export class SpareBlocks {
  readonly #spare: ArrayBuffer[] = [];

  /** Room for one block. */
  take(): Buffer {
    const spare = this.#spare.pop();
    // Not of the pool of small buffers, and not filled with zeros that nobody reads.
    return spare ? Buffer.from(spare) : Buffer.allocUnsafeSlow(ROOM_BYTES);
  }

  /** Takes back the parts of a segment; whoever reads them afterwards reads other blocks. */
  giveBack(parts: readonly Uint8Array[]): void {
    for (const { buffer } of parts)
      if (buffer instanceof ArrayBuffer && buffer.byteLength === ROOM_BYTES)
        this.#spare.push(buffer);
  }
}
