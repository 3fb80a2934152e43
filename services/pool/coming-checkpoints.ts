import { Turns } from '../../pool-store/catalog/turns.js';
import type { Store } from '../../pool-store/store.js';
import type { Limits } from '../http/limits.js';
import { type Asked, requireRoomNow } from '../http/upload-admission.js';

/** Checkpoints that are under way to this server: their bytes count before they are stored, or many at once had room for one. */
export class ComingCheckpoints {
  readonly #coming = new Set<Asked>();
  /** One is admitted after another, so that each sees those before it. */
  readonly #turns = new Turns();

  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
  ) {}

  /** Takes a checkpoint's bytes by `work` where there is room for them. Throws `quota-exceeded`, or `store-full`. */
  async admit<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    await this.#turns.take('admission', async () => {
      await requireRoomNow(this.store, asked, this.limits, [...this.#coming]);
      this.#coming.add(asked);
    });
    try {
      return await work();
    } finally {
      this.#coming.delete(asked);
    }
  }
}
