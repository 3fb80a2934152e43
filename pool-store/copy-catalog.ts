import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TacetError } from '../proto/errors.js';
import type { LogHead } from '../proto/log-head.js';
import type { Catalog } from './catalog.js';
import { ChangeLog } from './change-log.js';
import { copyRows, rowCounts } from './copy-rows.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/**
 * Copies the records of a catalog, as of one moment, into another that has none, in one transaction: it is all
 * there or nothing is, and can be begun anew. `directory` is where a file may lie meanwhile. Returns where the
 * log of the copy ends. Throws `conflict` where the target has records, and `store-damaged` where the source's
 * log is broken.
 */
export async function copyCatalog(
  source: Catalog,
  target: Catalog,
  directory: string,
): Promise<LogHead> {
  const folder = await mkdtemp(join(directory, 'copy-'));
  const path = join(folder, 'catalog.db');
  try {
    await source.copyTo(path);
    const moment = new SqliteCatalog(path);
    try {
      await fill(moment, target);
    } finally {
      await moment.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return new ChangeLog(target).head();
}

async function fill(moment: Catalog, target: Catalog): Promise<void> {
  const broken = await new ChangeLog(moment).firstBroken();
  if (broken !== undefined)
    throw new TacetError(
      'store-damaged',
      `the log is broken at entry ${broken}; nothing was copied`,
    );
  const expected = await rowCounts(moment.read);
  await target.writeAtLength(async (transaction) => {
    // A server that was started on an empty catalog left its key there.
    await transaction.deleteFrom('log_signer').execute();
    const there = await rowCounts(transaction);
    if ([...there.values()].some((count) => count > 0))
      throw new TacetError('conflict', 'the catalog to copy into has records; name an empty one');
    await copyRows(moment.read, transaction);
    const found = await rowCounts(transaction);
    const differing = [...expected].find(([table, count]) => found.get(table) !== count);
    if (differing)
      throw new TacetError(
        'internal',
        `the copy of ${differing[0]} lacks rows; nothing was copied`,
      );
  });
}
