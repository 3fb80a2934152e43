/** Added to every count, so that what was never met stays possible. */
const SMOOTHING = 0.5;

/** Relative frequencies of what notes of a population show in clear. */
export class Frequencies<K> {
  readonly #counts = new Map<K, number>();
  #total = 0;

  constructor(keys: Iterable<K>) {
    for (const key of keys) {
      this.#counts.set(key, this.count(key) + 1);
      this.#total += 1;
    }
  }

  count(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Smoothed, with one more key for all that were never met. */
  share(key: K): number {
    return (this.count(key) + SMOOTHING) / (this.#total + SMOOTHING * (this.#counts.size + 1));
  }
}
