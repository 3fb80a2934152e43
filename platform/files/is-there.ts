import { lstat } from 'node:fs/promises';

/** Whether something is at `path`: a file, a folder, or a link, wherever that leads. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
