import type { Catalog, CatalogTransaction } from './catalog.js';
import { currentTime } from './catalog-clock.js';
import { sql } from './kysely.js';
import { ProlongedLease } from './prolonged-lease.js';
import { clock } from './sql-dialect.js';

/**
 * What one process at a time does for all that share a catalog, until its time is up: a row, for a lock of a
 * session does not survive a proxy that shares connections out by transactions. Times are the catalog's, so
 * that no process's clock counts.
 */
export class Leases {
  constructor(private readonly catalog: Catalog) {}

  /** Takes or prolongs a lease by so many milliseconds; returns whether `holder` has it now. */
  take(name: string, holder: string, milliseconds: number): Promise<boolean> {
    return this.catalog.write(
      (transaction) => takeLease(transaction, name, holder, milliseconds),
      'leases',
    );
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
  async release(name: string, holder: string): Promise<void> {
    await this.catalog.write(
      (transaction) =>
        transaction
          .deleteFrom('leases')
          .where('name', '=', name)
          .where('holder', '=', holder)
          .execute(),
      'leases',
    );
  }
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
