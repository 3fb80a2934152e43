/** SQLite, by the release of better-sqlite3 that this Node can load. */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

export type Database = BetterSqlite3.Database;
export type Statement<
  Parameters extends unknown[] = unknown[],
  Row = unknown,
> = BetterSqlite3.Statement<Parameters, Row>;

/** From release 13 the addon is built on Node-API and comes compiled, for Node 22 and later. */
const FIRST_NODE_OF_RELEASE_13 = 22;

/** The package to load in a Node of this version, such as `20.19.0`. */
export function sqlitePackage(nodeVersion: string): string {
  const major = Number(nodeVersion.split('.', 1)[0]);
  return major >= FIRST_NODE_OF_RELEASE_13 ? 'better-sqlite3' : 'better-sqlite3-node-20';
}

// Asked for at run time, and not by an import: either package ends a process that it is not made for.
const Connection = createRequire(import.meta.url)(
  sqlitePackage(process.versions.node),
) as typeof BetterSqlite3;

/**
 * Opens the file, made where there is none unless it is only read; SQLite waits up to `timeout` milliseconds
 * for a lock.
 */
export function openDatabase(
  file: string,
  options: { readonly timeout?: number; readonly readonly?: boolean } = {},
): Database {
  return new Connection(file, options);
}
