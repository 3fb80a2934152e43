import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from './blobs.js';
import { DiskBlobs } from './disk-blobs.js';
import { S3Bucket } from './s3/bucket.js';
import { bucketPlace } from './s3/bucket-place.js';
import { S3Blobs } from './s3/s3-blobs.js';

/** Blobs in `blobs/` of the directory of the store. */
export const ON_DISK = 'disk';
const PLACE_FILE = 'blobs-place';

/**
 * Where the blobs of the store in a directory are, as it was served last: `disk`, or the address of a bucket.
 * Every command on the store finds them by it.
 */
export function placeOf(directory: string): string {
  const file = join(directory, PLACE_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ON_DISK;
}

export function recordPlace(directory: string, place: string): Promise<void> {
  return writeAtomically(join(directory, PLACE_FILE), `${place}\n`, { isPrivate: true });
}

/** Nothing is asked of a bucket yet. Throws `config-invalid` for what is neither `disk` nor its address. */
export function blobsAt(place: string, directory: string): Blobs {
  if (place === ON_DISK) return new DiskBlobs(join(directory, 'blobs'));
  if (place.startsWith('s3:')) return new S3Blobs(new S3Bucket(bucketPlace(place)));
  throw new TacetError('config-invalid', `blobs: expected ${ON_DISK} or s3://BUCKET/PREFIX`);
}
