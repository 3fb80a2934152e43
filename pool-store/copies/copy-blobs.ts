import { inParallel } from '../../platform/parallel.js';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';
import { copyBlob } from './copy-blob.js';

export interface BlobsCopy {
  /** At the target now, those included that were there before. */
  readonly blobs: number;
  readonly copied: number;
  /** At the source, and not what their names say. */
  readonly damaged: readonly string[];
  /** At the target and not at the source: withdrawn since an earlier copy, or of another store. */
  readonly extra: readonly string[];
}

export interface CopyBlobsOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBlob?: ((done: number, total: number) => void) | undefined;
  /** Erases at the target what the source does not hold. */
  readonly mirror?: boolean;
}

const AT_A_TIME = 4;

/**
 * Copies every blob in use from one place to another, each verified by its digest; what is there is not
 * copied again, so a copy that was cut off goes on. Throws `conflict` where a mirror of nothing
 * would erase the target.
 */
export async function copyBlobs(
  from: Blobs,
  to: Blobs,
  { signal, onBlob, mirror = false }: CopyBlobsOptions = {},
): Promise<BlobsCopy> {
  const [source, target] = [await digestsOf(from), new Set(await digestsOf(to))];
  if (mirror && source.length === 0 && target.size > 0) {
    throw new TacetError(
      'conflict',
      'FROM holds no blobs, and a mirror of it would erase all of TO',
    );
  }
  const damaged: string[] = [];
  let done = 0;
  await inParallel(source, AT_A_TIME, async (digest) => {
    signal?.throwIfAborted();
    if (!target.has(digest) && !(await copyBlob(from, to, digest))) damaged.push(digest);
    onBlob?.(++done, source.length);
  });
  const held = new Set(source);
  const extra = [...target].filter((digest) => !held.has(digest));
  if (mirror) for (const digest of extra) await to.erase(digest);
  const copied = source.filter((digest) => !target.has(digest)).length - damaged.length;
  return { blobs: source.length - damaged.length, copied, damaged: damaged.sort(), extra };
}

async function digestsOf(blobs: Blobs): Promise<string[]> {
  const found: string[] = [];
  for await (const digest of blobs.digests()) found.push(digest);
  return found;
}
