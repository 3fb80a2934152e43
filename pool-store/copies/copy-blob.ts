import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';

/**
 * Copies a blob from one store to another, where it is safe when this returns. Nothing is copied
 * where the target has it. Returns false, and leaves nothing, where the source lacks the blob or
 * holds other bytes than its name says.
 */
export async function copyBlob(from: Blobs, to: Blobs, digest: string): Promise<boolean> {
  if ((await to.size(digest)) !== undefined) return true;
  const bytes = await from.size(digest);
  if (bytes === undefined) return false;
  try {
    await to.put({ bytes, read: () => from.read(digest) }, digest);
    return true;
  } catch (error) {
    if (error instanceof TacetError && LACKING.has(error.code)) return false;
    throw error;
  }
}

const LACKING: ReadonlySet<string> = new Set(['not-found', 'digest-mismatch']);
