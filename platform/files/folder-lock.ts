import { join } from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { writeFailure } from '../system-error.js';
import { systemFailure } from '../system-failure.js';
import { lockFile } from './file-lock.js';

/**
 * Keeps other processes from the work in a folder, by a lock on a file in it of that name. Returns how to let go.
 * Throws `run-busy`, and `disk-full`, `file-unwritable` or the like where it cannot be locked.
 */
export function lockFolder(folder: string, name: string): () => void {
  try {
    return lockFile(
      join(folder, name),
      (cause) =>
        new TacetError('run-busy', `another process works in ${folder}; let it end, or stop it`, {
          cause,
        }),
    );
  } catch (error) {
    const code = String((error as { code?: unknown } | null)?.code);
    if (!code.startsWith('SQLITE_')) throw writeFailure(error, folder);
    throw systemFailure(error, folder) ?? error;
  }
}
