import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { TacetError } from '../proto/errors.js';
import { blobsAt, placeOf, recordPlace } from './blobs/blob-place.js';
import type { Blobs } from './blobs/blobs.js';
import { CachedBlobs } from './blobs/cached-blobs.js';
import { probeBucket } from './blobs/s3/bucket-probe.js';
import { S3Blobs } from './blobs/s3/s3-blobs.js';
import type { CatalogPlace } from './catalog/open-catalog.js';
import { catalogMissing } from './catalog-check.js';
import { requireLogSigner } from './log-signer.js';
import { Store } from './store.js';
import { requireStoreOrNothing } from './store-folder.js';

/** Of blobs that are not there, each of which may be a question to a bucket: beyond, none is asked for. */
const ASKED = 100;

export interface ServedPlace {
  /** Where the blobs are, `disk` or the address of a bucket; where they were before, if not given. */
  readonly place?: string | undefined;
  /** Where its records are kept, as `Store.open` takes it. */
  readonly catalog?: CatalogPlace | undefined;
  /** As `StoreOptions.logKey`. */
  readonly logKey?: KeyObject | undefined;
  /** Bytes of the disk that copies of segments of a bucket may take. */
  readonly cacheBytes: number;
}

/**
 * Opens the store in a directory to be served. A bucket is probed first (`probeBucket`). Throws what `Store`
 * and `requireStoreOrNothing` do; `config-invalid` where another place than before lacks blobs, or as `requireLogSigner`; `store-damaged` where a
 * bucket holds blobs and the catalog knows of nothing. Then nothing was changed.
 */
export async function openServedStore(
  directory: string,
  { place = placeOf(directory), catalog, cacheBytes, logKey }: ServedPlace,
): Promise<Store> {
  requireStoreOrNothing(directory);
  const store = await Store.open(directory, {
    ...{ serve: true, catalog, logKey },
    blobs: await openBlobs(place, directory, cacheBytes),
  });
  try {
    const isMoved = place !== placeOf(directory);
    if (isMoved) await requireAll(store, place);
    if ((await store.log.head()).sequence === 0 && (await holdsAny(store.blobs))) {
      throw catalogMissing(directory);
    }
    await requireLogSigner(store);
    if (isMoved) await recordPlace(directory, place);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openBlobs(place: string, directory: string, cacheBytes: number): Promise<Blobs> {
  const blobs = blobsAt(place, directory);
  if (!(blobs instanceof S3Blobs)) return blobs;
  await probeBucket(blobs.bucket);
  return CachedBlobs.over(blobs, { directory: join(directory, 'cache'), mostBytes: cacheBytes });
}

/** Others may serve the store meanwhile: what the list lacks may have come since it was made, or its record have gone. */
async function requireAll({ blobs, blobRecords }: Store, place: string): Promise<void> {
  const held = new Set<string>();
  for await (const digest of blobs.digests()) held.add(digest);
  const isLacking = async (digest: string) =>
    (await blobs.size(digest)) === undefined && (await blobRecords.find(digest))?.erased === null;
  let [all, lacking] = [0, 0];
  for await (const { digest, erased } of blobRecords.all()) {
    if (erased !== null) continue;
    all++;
    if (held.has(digest)) continue;
    if (lacking >= ASKED || (await isLacking(digest))) lacking++;
  }
  if (lacking === 0) return;
  throw new TacetError(
    'config-invalid',
    `blobs: ${place} lacks ${lacking} of the ${all} blobs of this store; copy them first ` +
      '(tacet store copy-blobs FROM TO)',
  );
}

async function holdsAny(blobs: Blobs): Promise<boolean> {
  for await (const _ of blobs.digests()) return true;
  return false;
}
