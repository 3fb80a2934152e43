import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesDocuments } from './corpus-files.js';

/**
 * How many files of a directory and its subdirectories no reader of `isRead` names looks at; 0 of a file. Hidden ones are not
 * counted, and what cannot be listed is not: whoever reads it says so. Their names and endings may be of patients, and are not told.
 */
export async function otherFiles(
  path: string,
  isRead: (name: string) => boolean = namesDocuments,
): Promise<number> {
  const countBelow = async (directory: string, ancestors: ReadonlySet<string>): Promise<number> => {
    const real = await realpath(directory).catch(() => directory);
    if (ancestors.has(real)) return 0;
    let count = 0;
    const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const place = join(real, entry.name);
      const found = entry.isSymbolicLink() ? await stat(place).catch(() => entry) : entry;
      if (found.isDirectory()) count += await countBelow(place, new Set([...ancestors, real]));
      else if (found.isFile() && !isRead(entry.name)) count++;
    }
    return count;
  };
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() ? countBelow(path, new Set()) : 0;
}

/** What is said of that many; undefined of none. */
export function describeOthers(count: number): string | undefined {
  if (count === 0) return undefined;
  const files = count === 1 ? '1 file whose ending is' : `${count} files whose endings are`;
  return `left out ${files} of no format that is read; rename or convert what holds notes (tacet corpus --help lists the formats)`;
}
