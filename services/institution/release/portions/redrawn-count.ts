/** 2^32 at most can be halved. */
const MOST_HALVINGS = 32;

/**
 * Of how many sentences of a portion the notes were drawn otherwise. They are not kept, so that of the first portion, which
 * is halved while it is read, their numbers alone tell which of them are still in it.
 */
export class RedrawnCount {
  /** By how often the number that tells portions apart can be halved. */
  readonly #counts = new Float64Array(MOST_HALVINGS + 1);

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** `share`: the number that tells portions apart. */
  add(share: number): void {
    const halvings = halvingsOf(share);
    this.#counts[halvings] = (this.#counts[halvings] as number) + 1;
  }

  /** Leaves out what is no longer in the first of `count` portions. */
  keepFirstOf(count: number): void {
    for (let halvings = 0; 2 ** halvings < count; halvings++) this.#counts[halvings] = 0;
  }

  clear(): void {
    this.#counts.fill(0);
  }
}

function halvingsOf(share: number): number {
  let halvings = 0;
  while (halvings < MOST_HALVINGS && share % 2 ** (halvings + 1) === 0) halvings++;
  return halvings;
}
