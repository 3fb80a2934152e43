/** Lets work on one thing wait for other work on the same thing. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, number>();

  /** Whether anyone's turn comes after the one that is under way. */
  isWaitedFor(thing: string): boolean {
    return this.#waiting.has(thing);
  }

  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    this.#count(thing, 1);
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(() => {
      this.#count(thing, -1);
      return work();
    });
    const ended = turn.catch(() => {});
    this.#last.set(thing, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(thing) === ended) this.#last.delete(thing);
    }
  }

  #count(thing: string, more: 1 | -1): void {
    const waiting = (this.#waiting.get(thing) ?? 0) + more;
    if (waiting > 0) this.#waiting.set(thing, waiting);
    else this.#waiting.delete(thing);
  }
}
