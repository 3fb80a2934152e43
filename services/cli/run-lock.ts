import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { lockFile } from '../../pool-store/file-lock.js';
import { TacetError } from '../../proto/errors.js';

/** Works on a run directory, which is made where it is missing, while no other process does. */
export async function withRunLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(directory, { recursive: true });
  const unlock = lockFile(
    path.join(directory, 'run.lock'),
    (cause) =>
      new TacetError('run-busy', `another process works in ${directory}; let it end, or stop it`, {
        cause,
      }),
  );
  try {
    return await work();
  } finally {
    unlock();
  }
}
