/** The kind of array that rows are in. */
interface RowArray<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer): T;
}

/** Rows of one width in memory that every thread of the process can read, and that grows with them. */
export class SharedRows<T extends Float32Array | Uint16Array> {
  #values: T;
  #count = 0;

  /** With room for so many rows at first. */
  constructor(
    private readonly kind: RowArray<T>,
    private readonly width: number,
    rows: number,
  ) {
    this.#values = this.#zeros(rows * width);
  }

  get count(): number {
    return this.#count;
  }

  /** The next row, zeros to be filled. */
  add(): T {
    const start = this.#count++ * this.width;
    if (start >= this.#values.length) {
      const grown = this.#zeros(2 * Math.max(start, this.width));
      grown.set(this.#values);
      this.#values = grown;
    }
    return this.#values.subarray(start, start + this.width) as T;
  }

  /** [count, width], a view that is valid until a row is added. */
  all(): T {
    return this.#values.subarray(0, this.#count * this.width) as T;
  }

  #zeros(length: number): T {
    return new this.kind(new SharedArrayBuffer(this.kind.BYTES_PER_ELEMENT * length));
  }
}
