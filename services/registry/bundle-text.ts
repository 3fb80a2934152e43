import { buffer } from 'node:stream/consumers';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';

/** Manifest and signature are read into memory; they are texts. */
const MAX_TEXT_BYTES = 1_000_000;

/**
 * A text of a bundle whose files, by name, have these digests. Throws `bundle-invalid` where there is
 * none or it is too long, and `not-found` where the file was not uploaded.
 */
export async function readText(
  store: Store,
  files: Readonly<Record<string, string>>,
  name: string,
): Promise<Buffer> {
  const digest = files[name];
  if (digest === undefined) throw new TacetError('bundle-invalid', `the bundle has no ${name}`);
  const { bytes } = await store.blobRecords.get(digest);
  if (bytes > MAX_TEXT_BYTES) {
    throw new TacetError('bundle-invalid', `${name} has more than ${MAX_TEXT_BYTES} bytes`);
  }
  return buffer(store.blobs.read(digest));
}
