import { closeSync, fsyncSync, openSync } from 'node:fs';
import { lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { writeFailure } from '../system-error.js';
import { syncDirectory } from './durable-file.js';
import { makeFolders } from './make-folders.js';

/** A private folder that is there for good when this returns. */
export function makeDirectory(path: string): void {
  makeFolders(path, 0o700);
  for (const directory of [path, dirname(path)]) {
    const descriptor = openSync(directory, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/**
 * Makes the folder `path` whole or not at all: `fill` writes and checks the files in a folder beside
 * it, which is then renamed, and is its owner's alone. Throws `file-exists` where something is there already.
 */
export async function createFolder(
  path: string,
  fill: (building: string) => Promise<void>,
): Promise<void> {
  const target = resolve(path);
  if (await lstat(target).catch(() => undefined))
    throw new TacetError('file-exists', `${path}: exists already; choose another place`);
  try {
    makeFolders(dirname(target));
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
    await syncDirectory(building);
    await rename(building, target);
    await syncDirectory(dirname(target));
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
}
