import { join } from 'node:path';
import Database from 'better-sqlite3';
import { TacetError } from '../proto/errors.js';

/**
 * Keeps a second server off the same directory. SQLite's exclusive lock goes with the process,
 * however it ends, so a crash leaves nothing to clean up. Returns how to let go.
 */
export function lockStore(directory: string): () => void {
  const lock = new Database(join(directory, 'serve.lock'), { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new TacetError('store-busy', `another process serves ${directory}; stop it first`, {
      cause,
    });
  }
  return () => lock.close();
}
