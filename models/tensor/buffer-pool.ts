const MAX_IDLE_BYTES = 512 * 2 ** 20;
const MIN_CLASS_BYTES = 64;

/**
 * Idle buffers by size class: four classes to a doubling, so that batches of changing shapes share
 * buffers and less than a quarter of a buffer is unused.
 */
export class BufferPool {
  /** The class that was asked for longest ago first. */
  private readonly idle = new Map<number, ArrayBuffer[]>();
  private idleBytes = 0;

  constructor(private readonly maxIdleBytes = MAX_IDLE_BYTES) {}

  /** A buffer of at least `bytes` bytes with arbitrary contents. */
  take(bytes: number): ArrayBuffer {
    const size = classOf(bytes);
    const buffers = this.idle.get(size) ?? [];
    this.idle.delete(size);
    this.idle.set(size, buffers);
    const buffer = buffers.pop();
    if (!buffer) return new ArrayBuffer(size);
    this.idleBytes -= size;
    return buffer;
  }

  /** Puts back a buffer that `take` gave. */
  give(buffer: ArrayBuffer): void {
    const size = buffer.byteLength;
    this.idle.get(size)?.push(buffer);
    this.idleBytes += size;
    this.forget();
  }

  /** What lies idle longest belongs to shapes of the past. */
  private forget(): void {
    for (const [size, buffers] of this.idle) {
      while (this.idleBytes > this.maxIdleBytes && buffers.shift()) this.idleBytes -= size;
      if (this.idleBytes <= this.maxIdleBytes) return;
    }
  }
}

function classOf(bytes: number): number {
  if (bytes <= MIN_CLASS_BYTES) return MIN_CLASS_BYTES;
  const step = 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}
