import { join } from 'node:path';
import { TacetError } from '../proto/errors.js';
import { lockFile } from './file-lock.js';

/** Keeps a second server off the same directory. Returns how to let go. */
export function lockStore(directory: string): () => void {
  return lockFile(
    join(directory, 'serve.lock'),
    (cause) =>
      new TacetError('store-busy', `another process serves ${directory}; stop it first`, { cause }),
  );
}
