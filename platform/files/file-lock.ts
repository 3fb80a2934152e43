import type { TacetError } from '../../proto/errors.js';
import { openDatabase } from '../sqlite/database.js';

/**
 * Takes a lock that one process holds at a time. SQLite's exclusive lock goes with the process,
 * however it ends, so a crash leaves nothing to clean up. Returns how to let go; throws what `busy`
 * makes where another process holds it, and SQLite's own error where the file cannot be used.
 */
export function lockFile(file: string, busy: (cause: unknown) => TacetError): () => void {
  const lock = openDatabase(file, { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw isHeld(cause) ? busy(cause) : cause;
  }
  return () => lock.close();
}

function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown } | null)?.code));
}
