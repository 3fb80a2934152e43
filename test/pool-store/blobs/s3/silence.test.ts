import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, Agent as HttpAgent, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { S3Bucket } from '../../../../pool-store/blobs/s3/bucket.js';
import { connectingWithin } from '../../../../pool-store/blobs/s3/bucket-connections.js';
import { bucketPlace } from '../../../../pool-store/blobs/s3/bucket-place.js';
import { readObject } from '../../../../pool-store/blobs/s3/object-reading.js';
import { bucketAddress } from './answering-bucket.js';

const ONCE = { attempts: 1, firstDelayMs: 1, patienceMs: 60_000 };
const CHUNK = Buffer.alloc(10_000, 7);
const CHUNKS = 15;
const CHUNK_MS = 150;
const BYTES = CHUNKS * CHUNK.length;
const STATE = { bytes: BYTES, etag: '"e"', modified: new Date() };
const coded = (code: string) => expect.objectContaining({ code });

/** For more than twice as long as the silence that ends a request. */
async function* slowly() {
  for (let i = 0; i < CHUNKS; i++) {
    await delay(CHUNK_MS);
    yield CHUNK;
  }
}

const content = { bytes: BYTES, read: slowly };
const sumOf = (algorithm: string) => createHash(algorithm).update(Buffer.alloc(BYTES, 7)).digest();
const sums = { md5: sumOf('md5'), sha256: sumOf('sha256') };

let opened: S3Bucket[] = [];
const environment = { ...process.env };

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
});
afterEach(async () => {
  for (const bucket of opened) await bucket.close();
  opened = [];
  process.env = environment;
});

/** A bucket that is asked once, at a server that does what `answer` does. */
async function bucketWhere(answer: RequestListener, seconds = 1): Promise<S3Bucket> {
  const address = await bucketAddress(answer, seconds);
  const bucket = new S3Bucket(bucketPlace(address), ONCE);
  opened.push(bucket);
  return bucket;
}

describe('a request that takes longer than the silence that would end it', () => {
  test('puts what flows', async () => {
    let received = 0;
    const bucket = await bucketWhere(async (request, response) => {
      received = (await buffer(request)).length;
      response.writeHead(200, { ETag: '"e"' }).end();
    });
    expect(await bucket.put('key', content, sums)).toBe(true);
    expect(received).toBe(BYTES);
  });

  test('gets what flows', async () => {
    const bucket = await bucketWhere(async (_, response) => {
      response.writeHead(206, { ETag: '"e"', 'Content-Length': BYTES });
      for await (const chunk of slowly()) response.write(chunk);
      response.end();
    });
    expect((await buffer(readObject(bucket, 'key', STATE))).length).toBe(BYTES);
  });

  test('waits for a connection while others are at work', async () => {
    const held: (() => void)[] = [];
    let areHeld = true;
    const bucket = await bucketWhere((_, response) => {
      const answer = () => response.writeHead(200, { ETag: '"e"', 'Content-Length': 0 }).end();
      if (areHeld) held.push(answer);
      else answer();
    }, 30);
    const atWork = Array.from({ length: 64 }, () => bucket.head('busy'));
    while (held.length < atWork.length) await delay(10);
    const waiting = bucket.head('waits');
    await delay(3500);
    areHeld = false;
    for (const answer of held) answer();
    await Promise.all(atWork);
    expect(await waiting).toEqual(expect.objectContaining({ etag: '"e"' }));
  });
});

describe('a request to a bucket that falls silent is unavailable', () => {
  test('before the headers of an answer', async () => {
    const bucket = await bucketWhere(() => {});
    await expect(bucket.head('key')).rejects.toEqual(coded('store-unavailable'));
  });

  test('after it took a body', async () => {
    const bucket = await bucketWhere((request) => void request.resume());
    await expect(bucket.put('key', content, sums)).rejects.toEqual(coded('store-unavailable'));
  });

  test('after it took a part of a body that has room nowhere', async () => {
    const bucket = await bucketWhere((request) => void request.once('data', () => request.pause()));
    const large = {
      bytes: 2 ** 30,
      async *read() {
        for (let i = 0; i < 1024; i++) yield Buffer.alloc(2 ** 20);
      },
    };
    await expect(bucket.put('key', large, sums)).rejects.toEqual(coded('store-unavailable'));
  });

  test('within an answer', async () => {
    const bucket = await bucketWhere((_, response) => {
      response.writeHead(206, { ETag: '"e"', 'Content-Length': BYTES }).flushHeaders();
    });
    const reading = buffer(readObject(bucket, 'key', STATE));
    await expect(reading).rejects.toEqual(coded('store-unavailable'));
  });
});

test('a connection that is not made in time is given up', async () => {
  const agent = new HttpAgent({ lookup() {} });
  const request = get({ agent: connectingWithin(20, agent), host: 'nowhere' });
  const [fault] = await once(request, 'error');
  expect(fault).toEqual(expect.objectContaining({ code: 'ETIMEDOUT' }));
});
