import { rm } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import type { LogHead } from '../../proto/log-head.js';
import type { Catalog, Statements } from '../catalog/catalog.js';
import { copyRows, deleteRows, hasRows } from '../catalog/copy-rows.js';
import { SqliteCatalog } from '../catalog/sqlite-catalog.js';
import { ChangeLog } from '../log/change-log.js';

/** The records of a catalog as of one moment. */
export interface CatalogMoment {
  readonly path: string;
  readonly catalog: SqliteCatalog;
  readonly log: ChangeLog;
  readonly rows: number;
  readonly head: LogHead;
}

/**
 * Copies the records of a catalog, as of one moment, into a new file of SQLite, without what is of a process or of hours:
 * leases, sessions and unfinished uploads. The caller closes it. Throws `store-damaged` where its log is broken.
 */
export async function takeMoment(source: Catalog, path: string): Promise<CatalogMoment> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
  const catalog = new SqliteCatalog(path);
  try {
    const rows = await source.readAtLength((moment) =>
      catalog.write((transaction) => copyRows(moment, transaction)),
    );
    const log = new ChangeLog(catalog);
    const broken = await log.firstBroken();
    if (broken === undefined) return { path, catalog, log, rows, head: await log.head() };
    throw new TacetError(
      'store-damaged',
      `the log is broken at entry ${broken}; nothing was copied`,
    );
  } catch (error) {
    await catalog.close();
    throw error;
  }
}

/**
 * Puts a moment in the place of what a catalog holds, in one transaction: all of it is there or nothing has changed. Throws
 * as `requireEarlier`.
 */
export async function putMoment({ catalog, log }: CatalogMoment, target: Catalog): Promise<void> {
  await target.writeAtLength(async (transaction) => {
    await requireEarlier(transaction, target, log);
    await deleteRows(transaction);
    await copyRows(catalog.read, transaction);
  });
}

/**
 * Sees that a catalog to copy into holds nothing, or what the source held at an earlier moment and nothing since. Throws
 * `conflict`.
 */
export async function requireEarlier(
  statements: Statements,
  target: Catalog,
  source: ChangeLog,
): Promise<void> {
  const head = await new ChangeLog(target).head(statements);
  if (head.sequence === 0 && !(await hasRows(statements))) return;
  if (head.sequence > 0 && (await source.holds(head))) return;
  throw new TacetError(
    'conflict',
    'the catalog to copy into has records that are not of this store, or are of a later time than what is to be copied; ' +
      'name an empty one',
  );
}
