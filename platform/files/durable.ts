import { chmod, lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { writeFailure } from '../system-error.js';
import { syncDirectory } from './durable-file.js';

/**
 * Writes a new file, of one piece or of several, that survives a power loss once `syncDirectory` has
 * run on its folder.
 */
export async function writeDurably(
  path: string,
  bytes: Uint8Array | string | readonly Uint8Array[],
  mode = 0o644,
): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    for (const part of Array.isArray(bytes) ? bytes : [bytes]) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes the folder `path` whole or not at all: `fill` writes and checks the files in a folder beside
 * it, which is then renamed. Throws `file-exists` where something is there already.
 */
export async function createFolder(
  path: string,
  fill: (building: string) => Promise<void>,
): Promise<void> {
  const target = resolve(path);
  if (await lstat(target).catch(() => undefined))
    throw new TacetError('file-exists', `${path}: exists already; choose another place`);
  try {
    await mkdir(dirname(target), { recursive: true });
    await buildBeside(target, fill);
  } catch (error) {
    throw writeFailure(error, path);
  }
}

async function buildBeside(
  target: string,
  fill: (building: string) => Promise<void>,
): Promise<void> {
  const building = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await fill(building);
    await chmod(building, 0o755);
    await syncDirectory(building);
    await rename(building, target);
    await syncDirectory(dirname(target));
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
}
