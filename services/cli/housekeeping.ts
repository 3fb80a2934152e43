import type { Logger } from 'pino';
import { currentTime } from '../../pool-store/catalog/catalog-clock.js';
import { recover } from '../../pool-store/recovery.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { collect } from '../http/collection.js';
import type { Limits } from '../http/limits.js';

const COLLECTION_MS = 600_000;
const LEADER = 'housekeeping';
/** A leader that was not heard of for so long is one no more. */
const LEASE_MS = 60_000;
const TURN_MS = 10_000;
/** Of a store that others serve, too: who stores a blob records it within this time, or is refused. */
const ORPHAN_MS = 3_600_000;
const ALREADY = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * What a server does for its store besides answering: recovery, collection of what nobody came back for, copies of what was
 * withdrawn. Where several servers share the store, one of them, the leader, does what concerns all, until it was not heard of
 * for a minute.
 */
export class Housekeeping {
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  /** By this process's own clock, which runs on when the catalog is away; another may lead from then on. */
  #leaseEnds = ALREADY;
  #hasRecovered = false;
  readonly #stopping = new AbortController();
  #collected = ALREADY;

  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
    private readonly logger: Logger,
  ) {}

  /** Whether this server does now what concerns all. */
  get isLeading(): boolean {
    return this.#hasRecovered && performance.now() < this.#leaseEnds;
  }

  /** Done once when this returns, as far as it is this server's. Throws as `recover`, also where it is stopped meanwhile. */
  async start(signal?: AbortSignal): Promise<void> {
    const first = this.#once(signal);
    this.#turn = first.catch(() => {});
    await first;
    this.#stopping.signal.throwIfAborted();
    this.#timer = setInterval(() => {
      this.#turn = this.#turn
        .then(() => this.#once())
        .catch((error: unknown) => {
          if (this.#stopping.signal.aborted) return;
          this.logger.error({ stack: String(error) }, 'housekeeping failed; it is tried again');
        });
    }, this.#interval()).unref();
  }

  /** What is under way ends where it is, and whoever leads next goes on. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new TacetError('interrupted', 'the server stops'));
    await this.#turn;
    await this.#letGo();
  }

  /** Lets go of the lease, where there is one. */
  async #letGo(): Promise<void> {
    const isTaken = this.#leaseEnds !== ALREADY;
    this.#leaseEnds = ALREADY;
    const { isShared, leases, holder } = this.store;
    if (isShared && isTaken) await leases.release(LEADER, holder).catch(() => {});
  }

  #interval(): number {
    return this.store.isShared ? TURN_MS : COLLECTION_MS;
  }

  async #once(signal = this.#stopping.signal): Promise<void> {
    const { store } = this;
    const ended = AbortSignal.any([this.#stopping.signal, signal]);
    ended.throwIfAborted();
    if (!store.isShared) return this.#lead(ended);
    const asked = performance.now();
    const work = (lost: AbortSignal) => this.#leadUntil(lost, ended);
    if (await this.#take()) {
      try {
        await store.leases.prolonged(LEADER, store.holder, LEASE_MS, work, asked);
      } catch (error) {
        // Another may come further with it.
        if (!this.#hasRecovered) await this.#letGo();
        throw error;
      }
    }
    if (!this.isLeading) await store.withdrawals.follow({ erases: false, signal: ended });
  }

  /** Who serves a store alone leads it. Whose lease had run out begins anew, for another may have led meanwhile. */
  async #take(): Promise<boolean> {
    const { isShared, leases, holder } = this.store;
    const asked = performance.now();
    const isTaken = !isShared || (await leases.take(LEADER, holder, LEASE_MS));
    if (!isTaken || asked >= this.#leaseEnds) this.#hasRecovered = false;
    this.#leaseEnds = isTaken ? (isShared ? asked + LEASE_MS : NEVER) : ALREADY;
    return isTaken;
  }

  async #leadUntil(lost: AbortSignal, ended: AbortSignal): Promise<void> {
    const resign = () => {
      this.#leaseEnds = ALREADY;
    };
    lost.addEventListener('abort', resign);
    try {
      await this.#lead(AbortSignal.any([lost, ended]));
    } catch (error) {
      // What was left, the other does, for it recovers first.
      if (!lost.aborted) throw error;
    } finally {
      lost.removeEventListener('abort', resign);
      if (lost.aborted) resign();
    }
  }

  /** Recovers first, and again until that succeeds. */
  async #lead(signal: AbortSignal): Promise<void> {
    const { store } = this;
    if (!this.#hasRecovered) {
      await this.#recover(signal);
      signal.throwIfAborted();
      if (!(await this.#take())) return;
      this.#hasRecovered = true;
    }
    if (store.isShared) {
      await store.withdrawals.follow({ erases: true, signal });
      await store.recentSamples.tidy();
    }
    if (performance.now() - this.#collected >= COLLECTION_MS - TURN_MS) await this.#collect(signal);
  }

  async #recover(signal: AbortSignal): Promise<void> {
    const { store, logger } = this;
    if (store.isShared) await store.withdrawals.begin();
    const now = await currentTime(store.catalog.read);
    const before = store.isShared ? new Date(now - ORPHAN_MS) : undefined;
    const recovery = await recover(store, before, signal);
    const { orphans, missing } = recovery;
    logger.info({ store: recovery }, 'recovered');
    if (orphans.length > 0) logger.warn({ orphans }, 'put aside into orphans/; see store verify');
    if (missing.length > 0) logger.error({ missing }, 'blobs are missing; see store verify');
  }

  async #collect(signal: AbortSignal): Promise<void> {
    this.#collected = performance.now();
    try {
      const collected = await collect(this.store, this.limits, undefined, signal);
      this.logger.info({ collected }, 'collected');
    } catch (error) {
      if (signal.aborted) this.#collected = ALREADY;
      signal.throwIfAborted();
      this.logger.error({ stack: String(error) }, 'collection failed');
    }
  }
}
