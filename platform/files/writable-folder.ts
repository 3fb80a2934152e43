import { access, constants, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../system-error.js';

/** `path`, or the folder that it would be made in, which can be written. Makes none; throws what the system says. */
export async function writableFolder(path: string): Promise<string> {
  try {
    // A file of that name fails with ENOTDIR.
    await stat(`${path}/.`);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return writableFolder(dirname(resolve(path)));
  }
  await access(path, constants.W_OK);
  return path;
}

/**
 * Makes a folder in another and takes it away: some file systems, such as `/proc` or one over the network, let this user
 * write by their word alone. Throws what the system says.
 */
export async function tryFolder(path: string): Promise<void> {
  await rmdir(await mkdtemp(join(path, '.tacet-')));
}
