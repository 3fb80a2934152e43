import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';

/** A test that runs this program; skipped, with a message, where it is not installed. */
export function testWithProgram(
  title: string,
  program: string,
  check: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  if (spawnSync('which', [program]).status === 0) {
    test(title, check, timeoutMs);
    return;
  }
  process.stderr.write(`skipped: ${program} is not installed\n`);
  test.skip(title, () => undefined);
}
