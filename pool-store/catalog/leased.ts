import type { Catalog } from './catalog.js';
import { currentTime } from './catalog-clock.js';

/** Held by the one server of a catalog whose blobs lie on its own disk. */
export const SERVING = 'serving';
/** Held in a catalog while a store is copied into it. */
export const COPY_LEASE = 'copy of a store';

/** Whether anybody serves a catalog that others reach, or did until a minute ago and was killed: each server holds a lease. */
export async function isLeased(catalog: Catalog): Promise<boolean> {
  const now = await currentTime(catalog.read);
  const lease = await catalog.read
    .selectFrom('leases')
    .select('name')
    .where('ends', '>', now)
    .where('name', '!=', COPY_LEASE)
    .executeTakeFirst();
  return lease !== undefined;
}
