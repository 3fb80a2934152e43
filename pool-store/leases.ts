import { sql } from 'kysely';
import type { Catalog, Statements } from './catalog.js';
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
    return this.catalog.write(async (transaction) => {
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
    });
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

/** By the clock of the catalog, in milliseconds since 1970. */
export async function currentTime(statements: Statements): Promise<number> {
  const { rows } = await sql<{ now: number }>`SELECT ${clock(statements)} AS now`.execute(
    statements,
  );
  return rows[0]?.now ?? Number.NaN;
}
