import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** The root of the repository, from the compiled tests. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Public data, beside the repository where nothing else is said. */
const DATA = process.env.TACET_DATA || join(ROOT, '..', 'shared', 'data');

/** Where every test file that asks for data is noted, one path a line; nowhere where it is not set. */
const WANTED = process.env.TACET_DATA_WANTED;

/**
 * The path of a file or folder of the public data; undefined where it is absent, which is said on
 * standard error. Every test that reads public data asks here.
 */
export function dataAt(name: string): string | undefined {
  const path = join(DATA, name);
  if (WANTED) appendFileSync(WANTED, `${expect.getState().testPath}\n`);
  if (existsSync(path)) return path;
  process.stderr.write(`without data: ${path} is missing; set TACET_DATA\n`);
  return undefined;
}

/** A test on public data; skipped where it is absent, under the same title, so that it counts once over two runs. */
export function testWithData(
  title: string,
  file: string,
  check: (path: string) => void | Promise<void>,
): void {
  const path = dataAt(file);
  if (path !== undefined) test(title, () => check(path));
  else test.skip(title, () => undefined);
}
