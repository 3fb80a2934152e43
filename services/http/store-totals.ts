import type { Store } from '../../pool-store/store.js';

/** For how long they are given again before they are computed anew. */
const KEPT_MS = 30_000;

/** What all that a store holds adds up to. */
export interface Totals {
  readonly bytesByOwner: readonly { readonly owner: string; readonly bytes: number }[];
  readonly contributions: { readonly kept: number; readonly withdrawn: number };
  readonly jobs: readonly { readonly state: string; readonly jobs: number }[];
  readonly openUploads: number;
}

/**
 * Totals of a store for whoever watches it. They are read from all its rows, so each is kept for half a minute, and of
 * several servers the leader alone gives them: a sum over servers is the total.
 */
export class StoreTotals {
  #latest: Promise<Totals> | undefined;
  #computed = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Store,
    private readonly isLeading: () => boolean = () => true,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Half a minute old at most; undefined where another server gives them. */
  async current(): Promise<Totals | undefined> {
    if (!this.isLeading()) return undefined;
    if (this.#latest && this.clock() - this.#computed < KEPT_MS) return this.#latest;
    this.#computed = this.clock();
    const computing = this.#compute();
    this.#latest = computing;
    try {
      return await computing;
    } catch (error) {
      if (this.#latest === computing) this.#latest = undefined;
      throw error;
    }
  }

  async #compute(): Promise<Totals> {
    const { blobRecords, contributions, trainingJobs, openUploads } = this.store;
    const [bytesByOwner, counts, jobs, open] = await Promise.all([
      blobRecords.bytesByOwner(),
      contributions.count(),
      trainingJobs.count(),
      openUploads.all(),
    ]);
    return { bytesByOwner, contributions: counts, jobs, openUploads: open.length };
  }
}
