const MIN_IDLE_BYTES = 512 * 2 ** 20;
const MIN_CLASS_BYTES = 64;
/** The class that is asked for, and those of less than 3.5 times its size. */
const CLASSES_THAT_FIT = 8;
/** Buffers given back until a peak counts for a third: a hundred steps of training. */
const REMEMBERED = 100_000;
/** More than the peak, since what was given is larger than what was asked for, by another share each time. */
const SLACK = 1.1;

/**
 * Idle buffers by size class: four classes to a doubling, so that batches of changing shapes share buffers. Where the
 * class that is asked for has none, a larger one serves. What lies idle is at most `minIdleBytes`, or so much that with
 * what is in use it comes to little more than the most that was in use at once of late: fresh memory is slow, and V8
 * collects all garbage whenever so and so much of it was made.
 */
export class BufferPool {
  /** The class that was asked for longest ago first. */
  private readonly idle = new Map<number, ArrayBuffer[]>();
  private idleBytes = 0;
  private usedBytes = 0;
  private mostUsedBytes = 0;

  constructor(
    private readonly minIdleBytes = MIN_IDLE_BYTES,
    private readonly remembered = REMEMBERED,
  ) {}

  /** A buffer of at least `bytes` bytes with arbitrary contents. */
  take(bytes: number): ArrayBuffer {
    const size = classOf(bytes);
    const buffer = this.fitting(size) ?? new ArrayBuffer(size);
    this.usedBytes += buffer.byteLength;
    this.mostUsedBytes = Math.max(this.mostUsedBytes, this.usedBytes);
    return buffer;
  }

  /** Puts back a buffer that `take` gave. */
  give(buffer: ArrayBuffer): void {
    const size = buffer.byteLength;
    this.lose(buffer);
    this.idle.get(size)?.push(buffer);
    this.idleBytes += size;
    this.mostUsedBytes -= (this.mostUsedBytes - this.usedBytes) / this.remembered;
    this.forget();
  }

  /** A buffer that `take` gave will not come back. */
  lose(buffer: ArrayBuffer): void {
    this.usedBytes -= buffer.byteLength;
  }

  /** An idle buffer of that class or one of the next, which is idle no more. */
  private fitting(size: number): ArrayBuffer | undefined {
    const own = this.idle.get(size) ?? [];
    this.idle.delete(size);
    this.idle.set(size, own);
    let from = size;
    for (let i = 0; i < CLASSES_THAT_FIT; i++) {
      const buffer = this.idle.get(from)?.pop();
      if (buffer) {
        this.idleBytes -= from;
        return buffer;
      }
      from = classOf(from + 1);
    }
    return undefined;
  }

  /** What lies idle longest belongs to shapes of the past. */
  private forget(): void {
    const most = Math.max(this.minIdleBytes, SLACK * this.mostUsedBytes - this.usedBytes);
    for (const [size, buffers] of this.idle) {
      while (this.idleBytes > most && buffers.shift()) this.idleBytes -= size;
      if (this.idleBytes <= most) return;
    }
  }
}

function classOf(bytes: number): number {
  if (bytes <= MIN_CLASS_BYTES) return MIN_CLASS_BYTES;
  const step = bytes <= 2 ** 31 ? 1 << (29 - Math.clz32(bytes - 1)) : wideStep(bytes);
  return Math.ceil(bytes / step) * step;
}

/** A fourth of the greatest power of two below `bytes`, as above, where that does not fit 32 bits. */
function wideStep(bytes: number): number {
  return 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
}
