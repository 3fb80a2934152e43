/** Lets work on one thing wait for other work on the same thing. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {});
    this.#last.set(thing, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(thing) === ended) this.#last.delete(thing);
    }
  }
}
