import type { Logger } from 'pino';
import { currentTime } from '../../pool-store/catalog-clock.js';
import { recover } from '../../pool-store/recovery.js';
import type { Store } from '../../pool-store/store.js';
import { collect } from '../http/collection.js';
import type { Limits } from '../http/limits.js';

const COLLECTION_MS = 600_000;
const LEADER = 'housekeeping';
/** A leader that was not heard of for so long is one no more. */
const LEASE_MS = 60_000;
const TURN_MS = 10_000;
/** Of a store that others serve, too: who stores a blob records it within this time, or is refused. */
const ORPHAN_MS = 3_600_000;

/**
 * What a server does for its store besides answering: recovery, collection of what nobody came back for, copies of what was
 * withdrawn. Where several servers share the store, one of them, the leader, does what concerns all, until it was not heard of
 * for a minute.
 */
export class Housekeeping {
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isLeading = false;
  #collected = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
    private readonly logger: Logger,
  ) {}

  /** Whether this server does now what concerns all. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Done once when this returns, as far as it is this server's. Throws as `recover`. */
  async start(): Promise<void> {
    await this.#once();
    this.#timer = setInterval(() => {
      this.#turn = this.#turn
        .then(() => this.#once())
        .catch((error: unknown) => {
          this.logger.error({ stack: String(error) }, 'housekeeping failed; it is tried again');
        });
    }, this.#interval()).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
    if (this.store.isShared && this.#isLeading)
      await this.store.leases.release(LEADER, this.store.holder).catch(() => {});
  }

  #interval(): number {
    return this.store.isShared ? TURN_MS : COLLECTION_MS;
  }

  async #once(): Promise<void> {
    const { store } = this;
    if (!store.isShared) return this.#lead();
    const { leases, holder } = store;
    if (await leases.take(LEADER, holder, LEASE_MS))
      await leases.prolonged(LEADER, holder, LEASE_MS, (lost) => this.#leadUntil(lost));
    else this.#isLeading = false;
    if (!this.#isLeading) await store.withdrawals.follow({ erases: false });
  }

  async #leadUntil(lost: AbortSignal): Promise<void> {
    try {
      await this.#lead(lost);
    } catch (error) {
      if (!lost.aborted) throw error;
    }
    // What was left, the other does, for it recovers first.
    if (lost.aborted) this.#isLeading = false;
  }

  /** Recovers first, and again until that succeeds. */
  async #lead(lost?: AbortSignal): Promise<void> {
    const { store } = this;
    if (!this.#isLeading) await this.#recover(lost);
    this.#isLeading = true;
    if (store.isShared) await store.withdrawals.follow({ erases: true });
    if (performance.now() - this.#collected >= COLLECTION_MS - TURN_MS) await this.#collect();
  }

  async #recover(lost?: AbortSignal): Promise<void> {
    const { store, logger } = this;
    const now = await currentTime(store.catalog.read);
    const before = store.isShared ? new Date(now - ORPHAN_MS) : undefined;
    const recovery = await recover(store, before, lost);
    const { orphans, missing } = recovery;
    logger.info({ store: recovery }, 'recovered');
    if (orphans.length > 0) logger.warn({ orphans }, 'put aside into orphans/; see store verify');
    if (missing.length > 0) logger.error({ missing }, 'blobs are missing; see store verify');
  }

  async #collect(): Promise<void> {
    this.#collected = performance.now();
    try {
      const collected = await collect(this.store, this.limits);
      this.logger.info({ collected }, 'collected');
    } catch (error) {
      this.logger.error({ stack: String(error) }, 'collection failed');
    }
  }
}
