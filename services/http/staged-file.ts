import type { FileHandle } from 'node:fs/promises';

/** Several blocks of a segment, so that few of them lie in two pieces. */
const STAGE_BYTES = 1024 * 1024;

/**
 * Writes small chunks to a file in large pieces: while one piece is written, the next is gathered.
 * `onPiece` sees each piece, in order, before its buffer is used again.
 */
export class StagedFile {
  #stage: Buffer = Buffer.allocUnsafeSlow(STAGE_BYTES);
  #spare: Buffer | undefined;
  #filled = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    readonly file: FileHandle,
    private position: number,
    readonly onPiece: (piece: Uint8Array) => void,
  ) {}

  /** Returns what to wait for before the next chunk, if anything; it throws what a write before failed with. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const taken = this.#gather(chunk, 0);
    return this.#filled === STAGE_BYTES ? this.#addRest(chunk, taken) : undefined;
  }

  /** Writes what is left; returns the position after it. */
  async end(): Promise<number> {
    if (this.#filled > 0) await this.#turn();
    await this.#writing;
    return this.position;
  }

  async #addRest(chunk: Uint8Array, from: number): Promise<void> {
    for (let offset = from; this.#filled === STAGE_BYTES; ) {
      await this.#turn();
      offset += this.#gather(chunk, offset);
    }
  }

  /** Returns how many bytes there was room for. */
  #gather(chunk: Uint8Array, offset: number): number {
    const taken = Math.min(chunk.length - offset, STAGE_BYTES - this.#filled);
    this.#stage.set(chunk.subarray(offset, offset + taken), this.#filled);
    this.#filled += taken;
    return taken;
  }

  async #turn(): Promise<void> {
    const piece = this.#stage.subarray(0, this.#filled);
    await this.#writing;
    this.#writing = this.#write(piece, this.position);
    // Who waits for it is the next turn; until then a failure must not end the process.
    this.#writing.catch(() => {});
    this.position += piece.length;
    this.onPiece(piece);
    const next = this.#spare ?? Buffer.allocUnsafeSlow(STAGE_BYTES);
    this.#spare = this.#stage;
    this.#stage = next;
    this.#filled = 0;
  }

  /** A nearly full disk takes a part of a piece and no more in the next call, which then says why. */
  async #write(piece: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < piece.length; ) {
      const { bytesWritten } = await this.file.write(
        piece,
        done,
        piece.length - done,
        position + done,
      );
      done += bytesWritten;
    }
  }
}
