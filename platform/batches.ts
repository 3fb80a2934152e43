interface Waiting<I, R> {
  readonly item: I;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** Items that wait for the same thing are worked on together: those that come meanwhile are the next batch. */
export class Batches<I, R> {
  /** An empty list where a batch is under way and nothing waits. */
  readonly #waiting = new Map<string, Waiting<I, R>[]>();

  /** `work` gives an outcome for each item, in their order; where it fails, all of them failed so. */
  constructor(
    readonly mostTogether: number,
    readonly work: (
      thing: string,
      items: readonly I[],
    ) => Promise<readonly PromiseSettledResult<R>[]>,
  ) {}

  /** Whether another batch comes after the one that is under way. */
  isWaitedFor(thing: string): boolean {
    return (this.#waiting.get(thing)?.length ?? 0) > 0;
  }

  add(thing: string, item: I): Promise<R> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(thing);
      const one = { item, resolve, reject };
      if (waiting) waiting.push(one);
      else {
        const first = [one];
        this.#waiting.set(thing, first);
        void this.#workOn(thing, first);
      }
    });
  }

  async #workOn(thing: string, waiting: Waiting<I, R>[]): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, this.mostTogether);
      try {
        const outcomes = await this.work(
          thing,
          batch.map(({ item }) => item),
        );
        for (const [i, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[i];
          if (outcome?.status === 'fulfilled') resolve(outcome.value);
          else reject(outcome?.reason);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(thing);
  }
}
