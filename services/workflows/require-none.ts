import path from 'node:path';
import { isThere } from '../../platform/files/is-there.js';
import { TacetError } from '../../proto/errors.js';

/** Throws `file-exists` for the first of `names` that is in a folder, where what is made would replace or use it. */
export async function requireNone(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (await isThere(path.join(folder, name)))
      throw new TacetError(
        'file-exists',
        `${path.join(folder, name)}: is there already, and not of what is being made; ` +
          'name another folder in --out, or move it away',
      );
}
