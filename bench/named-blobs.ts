import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { S3Bucket } from '../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../pool-store/blobs/s3/bucket-place.js';
import type { Store } from '../pool-store/store.js';

/** Objects that are put at a time. */
const AT_A_TIME = 32;

/** Empty files on the disk of a store, named as the blobs of its catalog, as which recovery lists them. */
export async function nameOnDisk(data: string, { blobRecords }: Store): Promise<void> {
  const folders = new Set<string>();
  for await (const { digest } of blobRecords.all()) {
    const folder = join(data, 'blobs', digest.slice(0, 2));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(join(folder, digest), '');
  }
}

/** The same as objects under a new prefix of a bucket; returns where. */
export async function nameInBucket(address: string, { blobRecords }: Store): Promise<string> {
  const [start, parameters] = address.split('?');
  const place = `${start}/${randomUUID()}?${parameters ?? ''}`;
  const bucket = new S3Bucket(bucketPlace(place));
  const sums = { md5: createHash('md5').digest(), sha256: createHash('sha256').digest() };
  const empty = { bytes: 0, read: async function* () {} };
  const records = blobRecords.all();
  // Several take from one list, each as soon as it has put what it took.
  const putAll = async () => {
    for (;;) {
      const { done, value } = await records.next();
      if (done) return;
      await bucket.put(`blobs/${value.digest}`, empty, sums);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, putAll));
  } finally {
    await bucket.close();
  }
  return place;
}
