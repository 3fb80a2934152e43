/** SQLite as the ledger uses it: one writer at a time, which others wait for without blocking. */
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../models/text/corpus/system-error.js';
import { type Database, openDatabase } from '../../platform/sqlite/database.js';
import { TacetError } from '../../proto/errors.js';

/** How long SQLite itself waits for a lock; short, because it blocks the event loop. */
const BUSY_TIMEOUT_MS = 5;
const RETRY_MS = 20;
/** SQLite's codes for a file that cannot be opened, or opened to be read alone. */
const UNWRITABLE = /^SQLITE_(CANTOPEN|READONLY|PERM)/;

/** Throws `file-unwritable` where `home` cannot be a home. */
export async function connect(home: string, file: string): Promise<Database> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
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
  return sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** As `ledger-invalid` or `file-unwritable`, where it comes from SQLite or the system. */
export function asLedgerError(error: unknown, file: string): unknown {
  const system = systemCode(error);
  if (system !== undefined) return unwritable(file, system, error);
  const code = sqliteCodeOf(error);
  if (code === undefined) return error;
  if (UNWRITABLE.test(code)) return unwritable(file, code, error);
  return new TacetError('ledger-invalid', `${file}: ${code}; restore it from a backup`, {
    cause: error,
  });
}

function unwritable(file: string, code: string, cause: unknown): TacetError {
  return new TacetError(
    'file-unwritable',
    `${file}: cannot be written (${code}); expected a home that is a folder of this user, or that ` +
      'can be made: choose another, or give this user the right to write there',
    { cause },
  );
}

/** By name: the addon throws one class, even into a realm that has loaded another. */
function sqliteCodeOf(error: unknown): string | undefined {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  return name === 'SqliteError' && typeof code === 'string' ? code : undefined;
}
