/**
 * Offsets between UTF-16 units, which Tacet counts, and code points, which Presidio counts, being a
 * Python program.
 */
export class CodePoints {
  /** UTF-16 offset of each code point, and of the end. */
  readonly #units: Uint32Array;

  constructor(text: string) {
    const units: number[] = [];
    let at = 0;
    for (const point of text) {
      units.push(at);
      at += point.length;
    }
    this.#units = Uint32Array.from([...units, at]);
  }

  get length(): number {
    return this.#units.length - 1;
  }

  /** The code points before a UTF-16 offset. */
  pointsBefore(unit: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle] as number) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  unitAt(point: number): number {
    return this.#units[Math.min(point, this.length)] as number;
  }
}
