import { stat } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';

/**
 * Throws `file-unreadable` for a pipe, a socket or a device, which may let whoever reads it wait for ever. What is not
 * there is left to who reads it.
 */
export async function requireRegularFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return;
  throw new TacetError(
    'file-unreadable',
    `${path}: a pipe, a socket or a device; expected a file: take it out of its folder`,
  );
}
