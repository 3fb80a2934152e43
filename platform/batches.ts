import { TacetError } from '../proto/errors.js';

interface Waiting<I, R> {
  readonly item: I;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** What is to be worked on next. */
export interface Batch<I> {
  /** The item that has waited longest. */
  readonly first: I;
  /** Takes all that wait at this moment, as many as may be. Called once, as late as the work allows. */
  claim(): readonly I[];
}

export interface BatchesOptions<I, R> {
  /**
   * Gives an outcome for each item that it claimed, in their order; where it fails, they failed so, or those that it
   * would have claimed.
   */
  work(thing: string, batch: Batch<I>): Promise<readonly PromiseSettledResult<R>[]>;
  sizeOf(item: I): number;
  /** No batch of several items is larger. */
  readonly mostTogether: number;
}

/** Items that wait for the same thing are worked on together: those that come after the claim are the next batch. */
export class Batches<I, R> {
  /** An empty list where a batch is under way and nothing waits. */
  readonly #waiting = new Map<string, Waiting<I, R>[]>();

  constructor(private readonly options: BatchesOptions<I, R>) {}

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
    for (let first = waiting[0]; first; first = waiting[0]) {
      let claimed: readonly Waiting<I, R>[] = [];
      const claim = () => {
        claimed = waiting.splice(0, this.#countTogether(waiting));
        return claimed.map(({ item }) => item);
      };
      try {
        const outcomes = await this.options.work(thing, { first: first.item, claim });
        for (const [i, { resolve, reject }] of claimed.entries()) {
          const outcome = outcomes[i];
          if (outcome?.status === 'fulfilled') resolve(outcome.value);
          else reject(outcome?.reason);
        }
      } catch (error) {
        if (claimed.length === 0) claim();
        for (const { reject } of claimed) reject(error);
      }
    }
    this.#waiting.delete(thing);
  }

  #countTogether(waiting: readonly Waiting<I, R>[]): number {
    const { sizeOf, mostTogether } = this.options;
    let size = 0;
    const end = waiting.findIndex(({ item }, i) => {
      size += sizeOf(item);
      return i > 0 && size > mostTogether;
    });
    return end === -1 ? waiting.length : end;
  }
}

/**
 * What becomes of items that are worked on in one go; where that fails by something else than a `TacetError`, of each alone:
 * what is wrong with one keeps no other out.
 */
export async function apart<I, R>(
  items: readonly I[],
  work: (items: readonly I[]) => Promise<readonly PromiseSettledResult<R>[]>,
): Promise<readonly PromiseSettledResult<R>[]> {
  try {
    return await work(items);
  } catch (error) {
    if (items.length === 1 || error instanceof TacetError) throw error;
  }
  const outcomes: PromiseSettledResult<R>[] = [];
  for (const item of items) {
    const alone = await work([item]).catch((reason) => [{ status: 'rejected', reason }] as const);
    outcomes.push(...alone);
  }
  return outcomes;
}
