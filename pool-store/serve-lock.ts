import { join } from 'node:path';
import { lockFile } from '../platform/files/file-lock.js';
import { TacetError } from '../proto/errors.js';

/** Keeps a second server off the same directory. Returns how to let go. */
export function lockStore(directory: string): () => void {
  return lockFile(
    join(directory, 'serve.lock'),
    (cause) =>
      new TacetError('store-busy', `another process serves ${directory}; stop it first`, { cause }),
  );
}
