import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '@jest/globals';

/** The root of the repository, from the compiled tests. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const DATA = process.env.TACET_DATA || join(ROOT, '..', 'shared', 'data');

/** A test on public data that stands beside the repository; skipped, with the reason, where it is absent. */
export function testWithData(
  title: string,
  file: string,
  check: (path: string) => void | Promise<void>,
): void {
  const path = join(DATA, file);
  if (existsSync(path)) test(title, () => check(path));
  else test.skip(`${title} (no ${file} in the data folder; set TACET_DATA)`, () => undefined);
}
