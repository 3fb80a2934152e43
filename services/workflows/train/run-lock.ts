import { lockFolder } from '../../../platform/files/folder-lock.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { writeFailure } from '../../../platform/system-error.js';

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
  } catch (error) {
    throw writeFailure(error, directory);
  }
  return lockFolder(directory, 'run.lock');
}
