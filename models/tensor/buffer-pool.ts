const MAX_IDLE_BYTES = 512 * 2 ** 20;
const MIN_CLASS_BYTES = 64;

/**
 * Idle buffers by size class: four classes to a doubling, so that batches of changing shapes share
 * buffers and less than a quarter of a buffer is unused.
 */
export class BufferPool {
  private readonly idle = new Map<number, ArrayBuffer[]>();
  private idleBytes = 0;

  /** A buffer of at least `bytes` bytes with arbitrary contents. */
  take(bytes: number): ArrayBuffer {
    const size = classOf(bytes);
    const buffer = this.idle.get(size)?.pop();
    if (!buffer) return new ArrayBuffer(size);
    this.idleBytes -= size;
    return buffer;
  }

  /** Puts back a buffer that `take` gave. */
  give(buffer: ArrayBuffer): void {
    const size = buffer.byteLength;
    // What lies idle belongs to shapes of the past: the current ones are in use and come back.
    if (this.idleBytes + size > MAX_IDLE_BYTES) this.clear();
    const buffers = this.idle.get(size);
    if (buffers) buffers.push(buffer);
    else this.idle.set(size, [buffer]);
    this.idleBytes += size;
  }

  private clear(): void {
    this.idle.clear();
    this.idleBytes = 0;
  }
}

function classOf(bytes: number): number {
  if (bytes <= MIN_CLASS_BYTES) return MIN_CLASS_BYTES;
  const step = 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}
