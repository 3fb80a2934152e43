import { setTimeout as delay } from 'node:timers/promises';
import type { Catalog, CatalogTransaction } from './catalog.js';
import { currentTime } from './catalog-clock.js';

const ASKED_AGAIN_MS = 50;

/**
 * What one process at a time does for all that share a catalog, until its time is up: a row, for a lock of a
 * session does not survive a proxy that shares connections out by transactions. Times are the catalog's, so
 * that no process's clock counts.
 */
export class Leases {
  constructor(private readonly catalog: Catalog) {}

  /** Takes or prolongs a lease by so many milliseconds; returns whether `holder` has it now. */
  take(name: string, holder: string, milliseconds: number): Promise<boolean> {
    return this.catalog.write((transaction) => takeLease(transaction, name, holder, milliseconds));
  }

  /** Waits for a lease, does `work` under it and lets go of it; what takes longer than the lease is not alone any more. */
  async during<T>(
    name: string,
    holder: string,
    milliseconds: number,
    work: () => Promise<T>,
  ): Promise<T> {
    while (!(await this.take(name, holder, milliseconds)))
      await delay(ASKED_AGAIN_MS * (0.5 + Math.random()));
    try {
      return await work();
    } finally {
      await this.release(name, holder);
    }
  }

  /** Lets go of a lease before its time; that of another stays. */
  async release(name: string, holder: string): Promise<void> {
    await this.catalog.write((transaction) =>
      transaction
        .deleteFrom('leases')
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute(),
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
  const now = await currentTime(transaction);
  const held = await transaction
    .selectFrom('leases')
    .select(['holder', 'ends'])
    .where('name', '=', name)
    .executeTakeFirst();
  if (held && held.holder !== holder && held.ends > now) return false;
  const ends = now + milliseconds;
  await transaction
    .insertInto('leases')
    .values({ name, holder, ends })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder, ends }))
    .execute();
  return true;
}

/** Whether anyone has a lease now. */
export async function isHeld(transaction: CatalogTransaction, name: string): Promise<boolean> {
  const held = await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', name)
    .where('ends', '>', await currentTime(transaction))
    .executeTakeFirst();
  return held !== undefined;
}
