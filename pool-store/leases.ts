import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Catalog, CatalogTransaction } from './catalog.js';
import { currentTime } from './catalog-clock.js';
import { ProlongedLease } from './prolonged-lease.js';
import { clock } from './sql-dialect.js';

const ASKED_AGAIN_MS = 20;
/** Who waits is known to all others for so long, and then says so again. */
const NEXT_MS = 2000;

/** Of work that is done alone. */
export interface Turn {
  /** Whether the same process did such work just before, so that nobody else can have since. */
  readonly isHandedOn: boolean;
}

/** What is known of those that wait for a turn in the same process. */
export interface Waiting {
  /** Whether more work of the same process comes next. */
  readonly isWaitedFor?: () => boolean;
  /** Done again and again while others have their turn; where it fails, waiting does. */
  readonly whileWaiting?: () => Promise<void>;
}

/** By `performance.now`. */
interface Taken {
  readonly asked: number;
  /** Half of its time is over then. */
  readonly until: number;
}

/**
 * What one process at a time does for all that share a catalog, until its time is up: a row, for a lock of a
 * session does not survive a proxy that shares connections out by transactions. Times are the catalog's, so
 * that no process's clock counts. Of those that wait one is the next, by a row of its own, whom who had the last turn lets
 * go first.
 */
export class Leases {
  /** Those that were handed on, by name. */
  readonly #handedOn = new Map<string, Taken>();

  constructor(private readonly catalog: Catalog) {}

  /** Takes or prolongs a lease by so many milliseconds; returns whether `holder` has it now. */
  take(name: string, holder: string, milliseconds: number): Promise<boolean> {
    return this.catalog.write(
      (transaction) => takeLease(transaction, name, holder, milliseconds),
      'leases',
    );
  }

  /**
   * Waits for a lease, does `work` under it and lets go of it; what takes longer than the lease is not alone any more.
   * Where `isWaitedFor` says that the same holder's work comes next, and no other is, the lease is handed on to it, with half
   * of its time to come at least.
   */
  async during<T>(
    name: string,
    holder: string,
    milliseconds: number,
    work: (turn: Turn) => Promise<T>,
    { isWaitedFor = () => false, whileWaiting = async () => {} }: Waiting = {},
  ): Promise<T> {
    const handedOn = this.#handedOn.get(name);
    this.#handedOn.delete(name);
    const isHandedOn = handedOn !== undefined && performance.now() < handedOn.until;
    const taken = isHandedOn
      ? handedOn
      : await this.#waitFor(name, holder, milliseconds, whileWaiting);
    try {
      return await work({ isHandedOn });
    } finally {
      if (isWaitedFor() && !(await this.#heldByOthers(name, holder)).has(nextOf(name)))
        this.#handedOn.set(name, taken);
      else await this.release(name, holder);
    }
  }

  async #waitFor(
    name: string,
    holder: string,
    milliseconds: number,
    whileWaiting: () => Promise<void>,
  ): Promise<Taken> {
    for (let saidUntil = 0; ; ) {
      const asked = performance.now();
      const others = await this.#heldByOthers(name, holder);
      const isFree = !others.has(name);
      if (!others.has(nextOf(name)) && (isFree || asked > saidUntil)) {
        if (await this.#takeOrBeNext(name, holder, milliseconds))
          return { asked, until: asked + milliseconds / 2 };
        saidUntil = asked + NEXT_MS / 2;
      }
      await Promise.all([delay(ASKED_AGAIN_MS * (0.5 + Math.random())), whileWaiting()]);
    }
  }

  /** As `take`; who does not have it is the next then, where nobody else is. */
  #takeOrBeNext(name: string, holder: string, milliseconds: number): Promise<boolean> {
    return this.catalog.write(async (transaction) => {
      const isTaken = await takeLease(transaction, name, holder, milliseconds);
      if (isTaken) await releaseLease(transaction, nextOf(name), holder);
      else await takeLease(transaction, nextOf(name), holder, NEXT_MS);
      return isTaken;
    }, 'leases');
  }

  /** Of a lease and its row of who is next, those that others have now. */
  async #heldByOthers(name: string, holder: string): Promise<Set<string>> {
    const { read } = this.catalog;
    const rows = await read
      .selectFrom('leases')
      .select('name')
      .where('name', 'in', [name, nextOf(name)])
      .where('holder', '!=', holder)
      .where('ends', '>', clock(read))
      .execute();
    return new Set(rows.map((row) => row.name));
  }

  /**
   * Does `work` under a lease that `holder` has taken, asked for at `since` by `performance.now`, which is prolonged until
   * then. Its signal is aborted where another took the lease meanwhile, also where that one has let go of it; before it ends,
   * where it cannot be prolonged; and where a newer program has changed the catalog.
   */
  async prolonged<T>(
    name: string,
    holder: string,
    milliseconds: number,
    work: (lost: AbortSignal) => Promise<T>,
    since = performance.now(),
  ): Promise<T> {
    const lost = new AbortController();
    const prolonged = new ProlongedLease({
      ...{ milliseconds, since },
      prolong: () => this.prolong(name, holder, milliseconds),
      onLost: (reason) => lost.abort(reason),
    });
    try {
      return await work(lost.signal);
    } finally {
      await prolonged.stop();
    }
  }

  /** Prolongs a lease that nobody else took since `holder` did, also where its time is up; returns whether it was so. */
  prolong(name: string, holder: string, milliseconds: number): Promise<boolean> {
    return this.catalog.write(async (transaction) => {
      const ends = (await currentTime(transaction)) + milliseconds;
      const { numUpdatedRows } = await transaction
        .updateTable('leases')
        .set({ ends })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    }, 'leases');
  }

  /** Lets go of a lease before its time; that of another stays. */
  release(name: string, holder: string): Promise<void> {
    return this.catalog.write((transaction) => releaseLease(transaction, name, holder), 'leases');
  }
}

/** Names the lease of who has the next turn. */
function nextOf(name: string): string {
  return `next: ${name}`;
}

async function releaseLease(
  transaction: CatalogTransaction,
  name: string,
  holder: string,
): Promise<void> {
  await transaction
    .deleteFrom('leases')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** As `Leases.take`, within a transaction. */
export async function takeLease(
  transaction: CatalogTransaction,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const now = clock(transaction);
  const ends = sql<number>`${now} + ${sql.lit(milliseconds)}`;
  // In one statement, so that it holds whatever else is written meanwhile.
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('leases')
    .values({ name, holder, ends })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, ends })
        .where(({ eb, or }) =>
          or([eb('leases.holder', '=', holder), eb('leases.ends', '<=', now)]),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
