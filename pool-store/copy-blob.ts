import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './blobs.js';

/**
 * Copies a blob from one store to another, where it is safe when this returns. Nothing is copied
 * where the target has it. Returns false, and leaves nothing, where the source lacks the blob or
 * holds other bytes than its name says.
 */
export async function copyBlob(
  from: Blobs,
  to: Blobs,
  digest: string,
  temporaryDirectory: string,
): Promise<boolean> {
  if ((await to.size(digest)) !== undefined) return true;
  if ((await from.size(digest)) === undefined) return false;
  const temporary = join(temporaryDirectory, digest);
  const hash = createHash('sha256');
  const target = await open(temporary, 'w', 0o600);
  try {
    for await (const chunk of from.read(digest)) {
      hash.update(chunk);
      await target.writeFile(chunk);
    }
  } catch (error) {
    await rm(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await target.close();
  }
  if (hash.digest('hex') === digest) {
    await to.adopt(temporary, digest);
    return true;
  }
  await rm(temporary);
  return false;
}
