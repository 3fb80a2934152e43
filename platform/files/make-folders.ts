import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../system-error.js';

const FOR_ALL = 0o777;

/**
 * Makes a folder where there is none, and before it those above it that are missing, each with `mode`. One by one:
 * Node's recursive `mkdir` never ends where a folder that is there takes no new one, as `/proc` does. Throws what the
 * system says.
 */
export function makeFolders(path: string, mode = FOR_ALL): void {
  try {
    makeFolder(path, mode);
  } catch (error) {
    const parent = dirname(resolve(path));
    if (systemCode(error) !== 'ENOENT' || parent === resolve(path)) throw error;
    makeFolders(parent, mode);
    makeFolder(path, mode);
  }
}

function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
