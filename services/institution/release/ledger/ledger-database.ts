/** SQLite as the ledger uses it: one writer at a time, which others wait for without blocking. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolders } from '../../../../platform/files/make-folders.js';
import { type Database, openDatabase } from '../../../../platform/sqlite/database.js';
import { systemFailure } from '../../../../platform/system-failure.js';
import { type ErrorCode, TacetError } from '../../../../proto/errors.js';

/** How long SQLite itself waits for a lock; short, because it blocks the event loop. */
const BUSY_TIMEOUT_MS = 5;
const RETRY_MS = 20;

/** Throws `file-unwritable` where `home` cannot be a home. */
export async function connect(home: string, file: string): Promise<Database> {
  try {
    makeFolders(home, 0o700);
    return openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/**
 * Runs `work` in a transaction that no other process, and no other call in this one, writes beside. Rolled
 * back where `work` throws.
 */
export async function exclusively<T>(
  db: Database,
  work: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  await whenFree(
    () => db.exec('BEGIN IMMEDIATE'),
    signal,
    () => db.inTransaction,
  );
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Tries until no other process, and no other call in this one, holds the lock. */
export async function whenFree(
  attempt: () => void,
  signal: AbortSignal | undefined,
  busyHere: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (!busyHere()) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    await delay(RETRY_MS);
  }
}

function isBusy(error: unknown): boolean {
  return isSqlite(error) && error.code.startsWith('SQLITE_BUSY');
}

/**
 * As the system's refusal, or as `ledger-invalid` where SQLite finds the file damaged; any other error
 * unchanged.
 */
export function asLedgerError(error: unknown, file: string): unknown {
  const refusal = systemFailure(error, file);
  if (refusal) {
    // SQLite has several names for what a full disk leads to.
    if (refusal.code !== 'disk-full' && isSqlite(error) && isFull(dirname(file)))
      return systemFailure({ code: 'SQLITE_FULL' }, file);
    return NO_HOME.has(refusal.code) ? unwritable(file, error) : refusal;
  }
  if (!isSqlite(error)) return error;
  return new TacetError('ledger-invalid', `${file}: ${error.code}; restore it from a backup`, {
    cause: error,
  });
}

/** Refusals that a home of another place or of another owner would not meet. */
const NO_HOME: ReadonlySet<ErrorCode> = new Set([
  'file-unwritable',
  'file-denied',
  'file-exists',
  'file-not-found',
  'file-unreadable',
]);

/** Less than SQLite needs for a transaction. */
const LEAST_FREE_BYTES = 2 ** 16;

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}

function unwritable(file: string, cause: unknown): TacetError {
  const { code } = cause as { readonly code: string };
  return new TacetError(
    'file-unwritable',
    `${file}: cannot be written (${code}); expected a home that is a folder of this user, or that ` +
      'can be made: choose another, or give this user the right to write there',
    { cause },
  );
}

/** By name: the addon throws one class, even into a realm that has loaded another. */
function isSqlite(error: unknown): error is Error & { readonly code: string } {
  return (
    typeof error === 'object' && error !== null && 'name' in error && error.name === 'SqliteError'
  );
}
