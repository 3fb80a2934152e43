import type { FileHandle } from 'node:fs/promises';

/** Several blocks of a segment, so that few of them lie in two pieces. */
const STAGE_BYTES = 1024 * 1024;

/**
 * Writes small chunks to a file in large pieces: while one piece is written, the next is gathered.
 * `onPiece` sees each piece, in order, before its buffer is used again, and throws nothing.
 */
export class StagedFile {
  #stage: Buffer | undefined;
  #spare: Buffer | undefined;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Stays where a write failed, so that whoever waits for it next hears of that. */
  #isWriting = false;

  /** `coming` bytes at most are expected from `position` on. */
  constructor(
    readonly file: FileHandle,
    private position: number,
    readonly coming: number,
    readonly onPiece: (piece: Uint8Array) => void,
  ) {}

  /**
   * Returns what to wait for before the next chunk, where a piece is full while the one before is still written; it
   * throws what a write before failed with.
   */
  add(chunk: Uint8Array): Promise<void> | undefined {
    for (let offset = 0; ; ) {
      this.#stage ??= this.#newStage();
      offset += this.#gather(this.#stage, chunk, offset);
      if (this.#filled < this.#stage.length) return undefined;
      if (this.#isWriting) return this.#addRest(chunk, offset);
      this.#turn(this.#stage);
      if (offset === chunk.length) return undefined;
    }
  }

  /** Writes what is left; returns the position after it. */
  async end(): Promise<number> {
    await this.#writing;
    if (this.#stage && this.#filled > 0) this.#turn(this.#stage);
    await this.#writing;
    return this.position;
  }

  async #addRest(chunk: Uint8Array, offset: number): Promise<void> {
    await this.#writing;
    await this.add(chunk.subarray(offset));
  }

  /** No larger than what comes: the memory of many small uploads at once is mostly theirs. */
  #newStage(): Buffer {
    return Buffer.allocUnsafeSlow(Math.max(1, Math.min(this.coming, STAGE_BYTES)));
  }

  /** Returns how many bytes there was room for. */
  #gather(stage: Buffer, chunk: Uint8Array, offset: number): number {
    const taken = Math.min(chunk.length - offset, stage.length - this.#filled);
    stage.set(chunk.subarray(offset, offset + taken), this.#filled);
    this.#filled += taken;
    return taken;
  }

  /** Once nothing is written. */
  #turn(stage: Buffer): void {
    const piece = stage.subarray(0, this.#filled);
    this.#writing = this.#write(piece, this.position);
    // Who waits for it may come later; until then a failure must not end the process.
    this.#writing.catch(() => {});
    this.position += piece.length;
    this.onPiece(piece);
    this.#stage = this.#spare;
    this.#spare = stage;
    this.#filled = 0;
  }

  /** A nearly full disk takes a part of a piece and no more in the next call, which then says why. */
  async #write(piece: Uint8Array, position: number): Promise<void> {
    this.#isWriting = true;
    for (let done = 0; done < piece.length; ) {
      const { bytesWritten } = await this.file.write(
        piece,
        done,
        piece.length - done,
        position + done,
      );
      done += bytesWritten;
    }
    this.#isWriting = false;
  }
}
