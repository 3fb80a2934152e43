import { type FileHandle, open } from 'node:fs/promises';
import type { Progress } from '../../platform/progress.js';
import { TacetError } from '../../proto/errors.js';

const CHUNK_BYTES = 4 << 20;

export interface LongWork {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/**
 * A file read from front to end through one buffer, for parsers that scan bytes: `buffer` holds the
 * bytes from `position` to `end`, and `ensure` brings more of them in.
 */
export class ByteStream {
  buffer: Buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  position = 0;
  end = 0;
  /** Bytes of the file that are in the buffer or behind it. */
  #read = 0;

  private constructor(
    readonly path: string,
    readonly size: number,
    private readonly file: FileHandle,
    private readonly step: string,
    private readonly work: LongWork,
  ) {}

  /** Opens `path`, hands the stream to `use` and closes the file, whatever happens. */
  static async use<T>(
    path: string,
    step: string,
    work: LongWork,
    use: (stream: ByteStream) => Promise<T>,
  ): Promise<T> {
    const file = await openToRead(path);
    try {
      const stats = await file.stat();
      if (!stats.isFile())
        throw new TacetError('file-unreadable', `${path} is no regular file; name a file`);
      const { size } = stats;
      return await use(new ByteStream(path, size, file, step, work));
    } finally {
      await file.close();
    }
  }

  /** How far into the file `position` is, in bytes. */
  get offset(): number {
    return this.#read - (this.end - this.position);
  }

  /** Bytes that are ready in the buffer. */
  get ready(): number {
    return this.end - this.position;
  }

  /**
   * Brings in bytes until `count` are ready or the file ends; true where `count` are. Moves
   * `position`.
   */
  async ensure(count: number): Promise<boolean> {
    if (this.ready >= count) return true;
    this.buffer.copyWithin(0, this.position, this.end);
    this.end -= this.position;
    this.position = 0;
    if (count > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * count);
      this.buffer.copy(larger, 0, 0, this.end);
      this.buffer = larger;
    }
    while (this.end < count) {
      const read = await this.#readInto(this.buffer.subarray(this.end));
      if (read === 0) return false;
      this.end += read;
    }
    return true;
  }

  /** Fills `target` with the next bytes; false where the file ends before. */
  async fill(target: Uint8Array): Promise<boolean> {
    let filled = Math.min(this.ready, target.length);
    target.set(this.buffer.subarray(this.position, this.position + filled));
    this.position += filled;
    while (filled < target.length) {
      const read = await this.#readInto(target.subarray(filled, filled + CHUNK_BYTES));
      if (read === 0) return false;
      filled += read;
    }
    return true;
  }

  async #readInto(target: Uint8Array): Promise<number> {
    this.work.signal?.throwIfAborted();
    const { bytesRead } = await this.file.read(target, 0, target.length);
    this.#read += bytesRead;
    this.work.progress?.({
      step: this.step,
      done: Math.round(this.#read / 1e6),
      total: Math.max(1, Math.round(this.size / 1e6)),
      unit: 'MB',
    });
    return bytesRead;
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error for a file that the operating system does not give. */
export function unreadable(path: string, cause: unknown): TacetError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new TacetError('file-not-found', `there is no file ${path}`, { cause });
  return new TacetError('file-unreadable', `${path} cannot be read (${code ?? 'unknown reason'})`, {
    cause,
  });
}
