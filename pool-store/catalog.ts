import Database from 'better-sqlite3';
import { TacetError } from '../proto/errors.js';
import { isDamage } from './disk-failure.js';
import { MIGRATIONS } from './migrations.js';

export type Catalog = Database.Database;

/**
 * Opens the catalog and brings it to this version. A committed transaction survives a power cut:
 * with `synchronous = FULL` SQLite syncs the write-ahead log at every commit. Throws `store-version`
 * or, where the first pages are damaged, `store-damaged`.
 */
export function openCatalog(path: string): Catalog {
  const catalog = new Database(path);
  try {
    prepare(catalog, path);
    return catalog;
  } catch (cause) {
    catalog.close();
    if (!isDamage(cause)) throw cause;
    const { message } = cause as Error;
    throw new TacetError('store-damaged', `${path}: ${message}; restore the newest backup`, {
      cause,
    });
  }
}

function prepare(catalog: Catalog, path: string): void {
  catalog.pragma('journal_mode = WAL');
  catalog.pragma('synchronous = FULL');
  catalog.pragma('foreign_keys = ON');
  catalog.pragma('busy_timeout = 10000');
  catalog.pragma('trusted_schema = OFF');
  migrate(catalog, path);
}

function migrate(catalog: Catalog, path: string): void {
  // Without a write where none is needed: the tools must work on a full disk.
  if (versionOf(catalog) === MIGRATIONS.length) return;
  const bringUp = catalog.transaction(() => {
    const version = versionOf(catalog);
    if (version > MIGRATIONS.length) {
      throw new TacetError(
        'store-version',
        `${path} has version ${version}; this program knows ${MIGRATIONS.length}: upgrade it`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) catalog.exec(migration);
    catalog.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  bringUp.immediate();
}

function versionOf(catalog: Catalog): number {
  return Number(catalog.pragma('user_version', { simple: true }));
}

/** Runs `work` in one transaction that takes the write lock first, so that it reads what it changes. */
export function inTransaction<T>(catalog: Catalog, work: () => T): T {
  return catalog.transaction(work).immediate();
}

/** The moment of a change, as the catalog stores it. */
export function now(): string {
  return new Date().toISOString();
}
