import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { blobsAt, placeOf } from '../../pool-store/blobs/blob-place.js';
import { sumsOf } from '../../pool-store/blobs/s3/body-sums.js';
import { S3Blobs } from '../../pool-store/blobs/s3/s3-blobs.js';
import { contentOf } from './content.js';

/** The address of an empty bucket: `make test-scale` runs the tests of stores on it, `make test` on disk. */
export const TEST_BUCKET = process.env.TACET_TEST_BLOBS;

/** A place of a test's own: `disk`, or a new prefix of the bucket of the tests. */
export function newPlace(): string {
  if (TEST_BUCKET === undefined) return 'disk';
  const [bucket, parameters] = TEST_BUCKET.split('?');
  return `${bucket}/${randomUUID()}?${parameters ?? ''}`;
}

/** Makes the directory of a store to be, whose blobs lie where those of the tests do. */
export function placeBlobs(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const place = newPlace();
  if (place !== 'disk') writeFileSync(join(directory, 'blobs-place'), place);
  return directory;
}

type Folder = 'blobs' | 'quarantine' | 'orphans';

/** The bytes of blobs as they lie there, past the store. */
export interface RawBlobs {
  has(digest: string, folder?: Folder): Promise<boolean>;
  read(digest: string): Promise<Buffer>;
  /** In the place of what is there. */
  write(digest: string, bytes: Uint8Array | string, folder?: Folder): Promise<void>;
}

export function rawBlobs(directory: string): RawBlobs {
  const blobs = blobsAt(placeOf(directory), directory);
  return blobs instanceof S3Blobs ? objects(blobs) : files(directory);
}

function files(directory: string): RawBlobs {
  const at = (digest: string, folder: Folder) =>
    join(directory, folder, ...(folder === 'blobs' ? [digest.slice(0, 2)] : []), digest);
  return {
    has: async (digest, folder = 'blobs') => existsSync(at(digest, folder)),
    read: async (digest) => readFileSync(at(digest, 'blobs')),
    write: async (digest, bytes, folder = 'blobs') => {
      mkdirSync(dirname(at(digest, folder)), { recursive: true });
      rmSync(at(digest, folder), { force: true });
      writeFileSync(at(digest, folder), bytes);
    },
  };
}

function objects({ bucket }: S3Blobs): RawBlobs {
  const at = (digest: string, folder: Folder) => `${folder}/${digest}`;
  return {
    has: async (digest, folder = 'blobs') => (await bucket.head(at(digest, folder))) !== undefined,
    read: async (digest) => {
      const found = await bucket.get(at(digest, 'blobs'), {});
      if (!found) throw new Error('there is no such object');
      return buffer(found.body);
    },
    write: async (digest, bytes, folder = 'blobs') => {
      const content = contentOf(Buffer.from(bytes));
      await bucket.delete(at(digest, folder));
      await bucket.put(at(digest, folder), content, await sumsOf(content, sha256(bytes)));
    },
  };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
