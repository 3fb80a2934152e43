import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

/** A file system of its own, until `remove`. */
export interface Mounted {
  readonly directory: string;
  remove(): void;
}

/** A disk of so many bytes; undefined where this user may not mount one, which is said. */
export function smallDisk(directory: string, bytes: number): Mounted | undefined {
  return mounted(directory, 'a full disk', [
    ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory],
  ]);
}

/** `source` again, to be read alone; undefined as for `smallDisk`. */
export function readOnly(source: string, directory: string): Mounted | undefined {
  return mounted(directory, 'a read-only file system', [
    ['--bind', source, directory],
    ['-o', 'remount,ro,bind', directory],
  ]);
}

function mounted(
  directory: string,
  what: string,
  mounts: readonly (readonly string[])[],
): Mounted | undefined {
  mkdirSync(directory, { recursive: true });
  try {
    for (const options of mounts) execFileSync('mount', options, { stdio: 'ignore' });
  } catch {
    process.stderr.write(`skipped: ${what}, for mounting one needs root\n`);
    return undefined;
  }
  return {
    directory,
    remove: () => {
      execFileSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
