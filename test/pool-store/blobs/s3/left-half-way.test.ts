import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { S3Bucket } from '../../../../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../../../../pool-store/blobs/s3/bucket-place.js';
import { readObject } from '../../../../pool-store/blobs/s3/object-reading.js';
import { bucketAddress } from './answering-bucket.js';

const ONCE = { attempts: 1, firstDelayMs: 1, patienceMs: 60_000 };
/** More than the buffers of a connection hold. */
const BYTES = 2 ** 26;
const PIECE = Buffer.alloc(2 ** 16);
/** Silence would end a request long after the test. */
const SECONDS = 600;
const environment = { ...process.env };
let bucket: S3Bucket | undefined;

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
});
afterEach(async () => {
  await bucket?.close();
  process.env = environment;
});

async function bucketWhere(answer: RequestListener): Promise<S3Bucket> {
  const address = await bucketAddress(answer, SECONDS);
  bucket = new S3Bucket(bucketPlace(address), ONCE);
  return bucket;
}

async function becomes(isSo: () => boolean): Promise<boolean> {
  for (let i = 0; i < 100 && !isSo(); i++) await delay(20);
  return isSo();
}

test('whoever leaves with the first bytes of an object keeps no connection', async () => {
  let open = 0;
  const readFrom = await bucketWhere((_, response) => {
    open++;
    response.on('close', () => open--);
    response.writeHead(206, { ETag: '"e"', 'Content-Length': BYTES });
    const fill = () => {
      while (response.write(PIECE));
    };
    response.on('drain', fill);
    fill();
  });
  const state = { bytes: BYTES, etag: '"e"', modified: new Date() };
  for (let i = 0; i < 3; i++) for await (const _ of readObject(readFrom, `key-${i}`, state)) break;
  expect(await becomes(() => open === 0)).toBe(true);
});

test('a content that a broken connection left unread is let go of', async () => {
  const writeTo = await bucketWhere((request) => {
    request.on('error', () => {});
    request.once('data', () => request.socket.destroy());
  });
  let open = 0;
  const content = {
    bytes: BYTES,
    async *read() {
      open++;
      try {
        for (let done = 0; done < BYTES; done += PIECE.length) yield PIECE;
      } finally {
        open--;
      }
    },
  };
  const sums = { md5: Buffer.alloc(16), sha256: Buffer.alloc(32) };
  await expect(writeTo.put('key', content, sums)).rejects.toEqual(
    expect.objectContaining({ code: 'store-unavailable' }),
  );
  expect(await becomes(() => open === 0)).toBe(true);
});
