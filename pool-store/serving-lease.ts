import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeAtomically } from '../platform/files/draft-file.js';
import { TacetError } from '../proto/errors.js';
import { SERVING } from './catalog/leased.js';
import { ProlongedLease } from './catalog/prolonged-lease.js';
import type { Store } from './store.js';

const LEASE_MS = 60_000;
const ID_FILE = 'server-id';

export interface ServingOptions {
  readonly leaseMs?: number | undefined;
  /** Called once where another server has taken over, since this one was not heard of for too long, or a newer one has changed the catalog. */
  readonly onLost?: ((error: TacetError) => void) | undefined;
  /** Ends the wait for another's lease. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Of a catalog that other machines reach and blobs that they do not: one server has it at a time, for each would lack what
 * the other stored. The lock of the data directory says nothing of other machines.
 */
export class ServingLease {
  readonly #prolonged: ProlongedLease;

  private constructor(
    private readonly store: Store,
    private readonly holder: string,
    { leaseMs = LEASE_MS, onLost = () => {} }: ServingOptions,
  ) {
    this.#prolonged = new ProlongedLease({
      milliseconds: leaseMs,
      prolong: () => store.leases.prolong(SERVING, holder, leaseMs),
      onLost: (reason) => onLost(reason instanceof TacetError ? reason : servedElsewhere(store)),
    });
  }

  /**
   * Undefined where none is needed. Whoever served the same directory on the same machine before, however it ended, is
   * followed at once; another is waited for as long as its lease runs. Throws `store-busy` where that one goes on, and the reason of
   * `signal`.
   */
  static async take(store: Store, options: ServingOptions = {}): Promise<ServingLease | undefined> {
    if (!store.catalog.isShared || store.isShared) return undefined;
    const { leaseMs = LEASE_MS, signal } = options;
    const holder = await holderOf(store.directory);
    const end = performance.now() + leaseMs * 1.1;
    while (!(await store.leases.take(SERVING, holder, leaseMs))) {
      if (performance.now() > end) throw servedElsewhere(store);
      signal?.throwIfAborted();
      await delay(leaseMs / 60);
    }
    return new ServingLease(store, holder, options);
  }

  async release(): Promise<void> {
    const isHeld = this.#prolonged.isKept;
    await this.#prolonged.stop();
    if (isHeld) await this.store.leases.release(SERVING, this.holder).catch(() => {});
  }
}

/** Of a directory on a machine: a copy of it elsewhere is another, and so is another disk in its place. */
export async function holderOf(directory: string): Promise<string> {
  const file = join(directory, ID_FILE);
  if (!existsSync(file)) await writeAtomically(file, `${randomUUID()}\n`, { isPrivate: true });
  const id = readFileSync(file, 'utf8').trim();
  const { dev, ino } = statSync(directory);
  const parts = [id, hostname(), realpathSync(directory), `${dev}:${ino}`];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

function servedElsewhere({ directory }: Store): TacetError {
  return new TacetError(
    'store-busy',
    `another server serves this catalog, from another data directory than ${directory}; stop it first. ` +
      'Several servers need their blobs in one bucket (--blobs s3://BUCKET/PREFIX), for each would lack what the other stored',
  );
}
