import path from 'node:path';
import { TacetError } from '../../../proto/errors.js';

/**
 * A name for each folder: the end of its path, with as many of the folders above it as tell it from the
 * others. Throws `usage` where one folder is there twice.
 */
export function distinctNames(folders: readonly string[]): string[] {
  const parts = folders.map((folder) => path.resolve(folder).split(path.sep));
  const end = (of: readonly string[], length: number) => of.slice(-length).join('/');
  return parts.map((own, i) => {
    const lengths = own.map((_, at) => at + 1);
    const length = lengths.find((each) =>
      parts.every((other, j) => j === i || end(other, each) !== end(own, each)),
    );
    if (length !== undefined) return end(own, length);
    throw new TacetError('usage', `${folders[i]}: named twice; name each folder once`);
  });
}
