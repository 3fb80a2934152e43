import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TacetError } from '../../proto/errors.js';

/** Throws `file-not-found` unless the directory holds a store, rather than making an empty one. */
export function requireStore(directory: string): void {
  if (existsSync(join(directory, 'catalog.db'))) return;
  throw new TacetError('file-not-found', `${directory} holds no store; give the server's --data`);
}
