const HIGH_SURROGATE = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Offsets between UTF-16 units, which Tacet counts, and code points, which Presidio counts, being a
 * Python program.
 */
export class CodePoints {
  readonly length: number;
  /** UTF-16 offset of each code point, and of the end; absent where the two are the same. */
  readonly #units: Uint32Array | undefined;

  constructor(text: string) {
    this.length = codePointsOf(text);
    if (this.length === text.length) return;
    this.#units = new Uint32Array(this.length + 1);
    for (let unit = 0, point = 0; unit < text.length; point++) {
      this.#units[point] = unit;
      unit += startsPair(text, unit) ? 2 : 1;
    }
    this.#units[this.length] = text.length;
  }

  /** The code points before a UTF-16 offset. */
  pointsBefore(unit: number): number {
    if (!this.#units) return Math.min(unit, this.length);
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle] as number) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  unitAt(point: number): number {
    const within = Math.min(point, this.length);
    return this.#units ? (this.#units[within] as number) : within;
  }
}

/** How many code points a text has; a surrogate on its own counts as one. */
export function codePointsOf(text: string): number {
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let unit = 0; unit < text.length; unit++) {
    if (!startsPair(text, unit)) continue;
    pairs++;
    unit++;
  }
  return text.length - pairs;
}

function startsPair(text: string, unit: number): boolean {
  const high = text.charCodeAt(unit);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(unit + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
