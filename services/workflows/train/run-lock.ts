import path from 'node:path';
import { lockFile } from '../../../platform/files/file-lock.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { writeFailure } from '../../../platform/system-error.js';
import { systemFailure } from '../../../platform/system-failure.js';
import { TacetError } from '../../../proto/errors.js';

/**
 * Works on a run directory, which is made where it is missing, while no other process does. Throws
 * `run-busy`, and `disk-full`, `file-exists` or `file-unwritable` where it cannot be made or locked.
 */
export async function withRunLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const unlock = lock(directory);
  try {
    return await work();
  } finally {
    unlock();
  }
}

function lock(directory: string): () => void {
  try {
    makeFolders(directory);
    return lockFile(
      path.join(directory, 'run.lock'),
      (cause) =>
        new TacetError(
          'run-busy',
          `another process works in ${directory}; let it end, or stop it`,
          { cause },
        ),
    );
  } catch (error) {
    throw lockFailure(error, directory);
  }
}

function lockFailure(error: unknown, directory: string): unknown {
  const code = String((error as { code?: unknown } | null)?.code);
  if (!code.startsWith('SQLITE_')) return writeFailure(error, directory);
  return systemFailure(error, directory) ?? error;
}
