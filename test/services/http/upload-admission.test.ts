import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Upload } from '@tus/server';
import type { Blobs } from '../../../pool-store/blobs/blobs.js';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { S3Bucket } from '../../../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../../../pool-store/blobs/s3/bucket-place.js';
import { S3Blobs } from '../../../pool-store/blobs/s3/s3-blobs.js';
import type { Store } from '../../../pool-store/store.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { TusUploads } from '../../../services/http/tus-uploads.js';
import { openStore } from '../../pool-store/opened-store.js';

const DIGEST = 'ab'.repeat(32);
const full = expect.objectContaining({ code: 'store-full' });

let directory: string;
let store: Store | undefined;
let uploads: TusUploads;
let size: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-admission-'));
});
afterEach(async () => {
  await store?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Half of what is free is the reserve, and an upload has more than half of the rest. */
async function openOn(blobs: Blobs): Promise<void> {
  store = await openStore(directory, { blobs });
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  size = Math.floor(0.3 * freeBytes);
  const limits = { ...DEFAULT_LIMITS, quotaBytes: 100 * freeBytes, reserveBytes: freeBytes / 2 };
  uploads = new TusUploads(store, 'segment', limits);
}

async function begin(id: string) {
  const metadata = { digest: DIGEST, owner: 'token', holder: 'north' };
  await uploads.create(new Upload({ id, size, offset: 0, metadata }));
  return uploads.own(id, { id: 'token' });
}

test('uploads whose bytes stay on the disk leave it its reserve all together', async () => {
  await openOn(new DiskBlobs(directory));
  const first = await begin('first');
  await expect(begin('second')).rejects.toEqual(full);
  await uploads.receive(first);
});

describe('uploads whose bytes go to a bucket', () => {
  beforeEach(() => openOn(new S3Blobs(new S3Bucket(bucketPlace('s3://bucket')))));

  test('are begun however many are open', async () => {
    for (const id of ['first', 'second', 'third', 'fourth']) await begin(id);
    expect(await store?.openUploads.all()).toHaveLength(4);
  });

  test('leave the disk its reserve for the requests that are under way', async () => {
    const [first, second] = [await begin('first'), await begin('second')];
    const incoming = await uploads.receive(first);
    await expect(uploads.receive(second)).rejects.toEqual(full);
    await expect(begin('third')).rejects.toEqual(full);
    const small = await uploads.receive(second, 1000);
    await small.discard();
    await incoming.discard();
    await (await uploads.receive(second)).discard();
    expect(await begin('third')).toEqual(expect.objectContaining({ offset: 0 }));
  });

  test('count once what a request has brought, which the disk has taken', async () => {
    const incoming = await uploads.receive(await begin('first'));
    // As long a file, in no room.
    truncateSync(incoming.path, size);
    expect(await store?.openUploads.comingBytes()).toBe(0);
    await begin('second');
  });
});
