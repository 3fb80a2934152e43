import { CLASS_SIZES, classOf } from './buffer-classes.js';

const MIN_IDLE_BYTES = 512 * 2 ** 20;
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
  /** By class. */
  private readonly idle = Array.from(CLASS_SIZES, (): ArrayBuffer[] => []);
  /** When each class was asked for last, in buffers taken until then. */
  private readonly askedFor = new Float64Array(CLASS_SIZES.length);
  private taken = 0;
  private idleBytes = 0;
  private usedBytes = 0;
  private mostUsedBytes = 0;

  constructor(
    private readonly minIdleBytes = MIN_IDLE_BYTES,
    private readonly remembered = REMEMBERED,
  ) {}

  /** A buffer of at least `bytes` bytes with arbitrary contents. */
  take(bytes: number): ArrayBuffer {
    const index = classOf(bytes);
    const buffer = this.fitting(index) ?? new ArrayBuffer(CLASS_SIZES[index]);
    this.askedFor[index] = ++this.taken;
    this.usedBytes += buffer.byteLength;
    this.mostUsedBytes = Math.max(this.mostUsedBytes, this.usedBytes);
    return buffer;
  }

  /** Puts back a buffer that `take` gave. */
  give(buffer: ArrayBuffer): void {
    const size = buffer.byteLength;
    this.lose(buffer);
    this.idle[classOf(size)].push(buffer);
    this.idleBytes += size;
    this.mostUsedBytes -= (this.mostUsedBytes - this.usedBytes) / this.remembered;
    const most = Math.max(this.minIdleBytes, SLACK * this.mostUsedBytes - this.usedBytes);
    if (this.idleBytes > most) this.forget(most);
  }

  /** A buffer that `take` gave will not come back. */
  lose(buffer: ArrayBuffer): void {
    this.usedBytes -= buffer.byteLength;
  }

  /** An idle buffer of that class or one of the next, which is idle no more. */
  private fitting(index: number): ArrayBuffer | undefined {
    const end = Math.min(index + CLASSES_THAT_FIT, CLASS_SIZES.length);
    for (let each = index; each < end; each++) {
      const buffer = this.idle[each].pop();
      if (buffer) {
        this.idleBytes -= buffer.byteLength;
        return buffer;
      }
    }
    return undefined;
  }

  /** Lets go of idle buffers until no more than `most` bytes are: what lies idle longest belongs to shapes of the past. */
  private forget(most: number): void {
    const held = [...this.idle.keys()].filter((index) => this.idle[index].length > 0);
    for (const index of held.sort((a, b) => this.askedFor[a] - this.askedFor[b])) {
      while (this.idleBytes > most && this.idle[index].shift())
        this.idleBytes -= CLASS_SIZES[index];
      if (this.idleBytes <= most) return;
    }
  }
}
