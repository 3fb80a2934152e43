import { readFile } from 'node:fs/promises';
import { readFailure, systemCode } from '../system-error.js';

/** Of a path that leads through a file, too: there is nothing at its end. */
const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * The bytes of a file, or undefined where there is none. A file that is there and cannot be read throws `file-unreadable`
 * or the like: whoever took it for none would do again, or write over, what it keeps.
 */
export async function bytesIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (MISSING.has(systemCode(error) ?? '')) return undefined;
    throw readFailure(error, file);
  }
}

/** The same as text in UTF-8. */
export async function textIfThere(file: string): Promise<string | undefined> {
  return (await bytesIfThere(file))?.toString('utf8');
}
