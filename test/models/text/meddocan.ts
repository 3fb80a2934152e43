import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `<data>/meddocan`, from `TACET_DATA` or beside the repository; undefined where there is none. */
export function meddocanDirectory(): string | undefined {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const data = process.env.TACET_DATA ?? join(root, '..', 'shared', 'data');
  const directory = join(data, 'meddocan');
  return existsSync(directory) ? directory : undefined;
}
