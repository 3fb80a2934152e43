import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../platform/files/file-lock.js';
import { TacetError } from '../proto/errors.js';

const LOCK_FILE = 'serve.lock';

/** Keeps a second server off the same directory. Returns how to let go. */
export function lockStore(directory: string): () => void {
  return lockFile(
    join(directory, LOCK_FILE),
    (cause) =>
      new TacetError('store-busy', `another process serves ${directory}; stop it first`, { cause }),
  );
}

/** Whether a process serves the directory now; nothing is made there. */
export function isServed(directory: string): boolean {
  if (!existsSync(join(directory, LOCK_FILE))) return false;
  try {
    lockStore(directory)();
    return false;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'store-busy') return true;
    throw error;
  }
}
