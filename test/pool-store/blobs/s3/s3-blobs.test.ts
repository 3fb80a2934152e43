import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BlobContent } from '../../../../pool-store/blobs/blobs.js';
import { S3Bucket } from '../../../../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../../../../pool-store/blobs/s3/bucket-place.js';
import { probeBucket } from '../../../../pool-store/blobs/s3/bucket-probe.js';
import { S3Blobs } from '../../../../pool-store/blobs/s3/s3-blobs.js';
import type { Store } from '../../../../pool-store/store.js';
import { acceptUpload } from '../../../../pool-store/uploads/accept-upload.js';
import { UploadExamination } from '../../../../pool-store/uploads/upload-examination.js';
import { contentOf } from '../../content.js';
import { openStore } from '../../opened-store.js';
import { BucketServer } from './bucket-server.js';

const FAST = { attempts: 4, firstDelayMs: 1, patienceMs: 10_000 };
const KEY = 'known-access-key';
const SECRET = 'very-secret-key';
const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * i) % 251));
const digest = createHash('sha256').update(bytes).digest('hex');
const coded = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

let directory: string;
let server: BucketServer;
let address: string;
let blobs: S3Blobs;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-bucket-'));
  const credentials = join(directory, 'credentials');
  writeFileSync(credentials, `AWS_ACCESS_KEY_ID=${KEY}\nAWS_SECRET_ACCESS_KEY=${SECRET}\n`);
  chmodSync(credentials, 0o600);
  server = new BucketServer();
  address = `${await server.start()}&credentials=${credentials}`;
  blobs = new S3Blobs(new S3Bucket(bucketPlace(address), FAST));
});
afterEach(async () => {
  await blobs.bucket.close();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const puts = () => server.requests.filter((request) => request.startsWith('PUT')).length;

describe('a put into a bucket', () => {
  test('is tried again while the bucket is busy, from its first byte', async () => {
    server.fault = (request) =>
      request.startsWith('PUT') && puts() < 3 ? { status: 503, code: 'SlowDown' } : undefined;
    await blobs.put(contentOf(bytes), digest);
    expect(puts()).toBe(3);
    expect(server.objects.get(`here/blobs/${digest}`)).toEqual(bytes);
  });

  test('whose answer was lost after it was carried out is done', async () => {
    server.fault = (request) =>
      request.startsWith('PUT') && puts() === 1 ? 'lose answer' : undefined;
    await blobs.put(contentOf(bytes), digest);
    expect(puts()).toBe(2);
    expect([...server.objects.keys()]).toEqual([`here/blobs/${digest}`]);
  });

  test('is given up after so many attempts, and leaves nothing', async () => {
    server.fault = () => ({ status: 500, code: 'InternalError' });
    await expect(blobs.put(contentOf(bytes), digest)).rejects.toEqual(coded('store-unavailable'));
    expect(puts()).toBe(FAST.attempts);
    server.fault = () => undefined;
    expect(await blobs.size(digest)).toBeUndefined();
  });

  test('into one that is away is unavailable', async () => {
    server.close();
    await expect(blobs.put(contentOf(bytes), digest)).rejects.toEqual(coded('store-unavailable'));
  });
});

describe('an upload into a bucket', () => {
  const announced = { digest, kind: 'bundle-file', holder: 'north' } as const;
  let store: Store;
  let reads: number;
  let content: BlobContent;

  beforeEach(async () => {
    store = await openStore(join(directory, 'store'), { blobs });
    reads = 0;
    content = {
      bytes: bytes.length,
      read: () => {
        reads++;
        return contentOf(bytes).read();
      },
    };
  });
  afterEach(() => store.close());

  async function examine(): Promise<UploadExamination> {
    const examination = new UploadExamination('bundle-file', blobs);
    for await (const chunk of content.read()) examination.push(chunk);
    return examination;
  }

  test('that was examined on its way is read to be sent alone', async () => {
    await acceptUpload(store, content, announced, await examine());
    expect(reads).toBe(2);
    expect(server.objects.get(`here/blobs/${digest}`)).toEqual(bytes);
  });

  test('is read to be examined and to be sent otherwise', async () => {
    await acceptUpload(store, content, announced);
    expect(reads).toBe(2);
    expect(server.objects.get(`here/blobs/${digest}`)).toEqual(bytes);
  });

  test('whose bytes are others by the time they are sent is refused by the bucket', async () => {
    const examination = await examine();
    content = contentOf(Buffer.from(bytes).reverse());
    await expect(acceptUpload(store, content, announced, examination)).rejects.toEqual(
      coded('store-unavailable'),
    );
    expect(server.objects.size).toBe(0);
    expect(await store.blobRecords.find(digest)).toBeUndefined();
  });

  test('of other bytes than were announced is refused before one is sent', async () => {
    content = contentOf(Buffer.from(bytes).reverse());
    await expect(acceptUpload(store, content, announced)).rejects.toEqual(coded('digest-mismatch'));
    expect(server.requests).toEqual([]);
  });
});

test('a reading whose connections break goes on from the next byte each time', async () => {
  await blobs.put(contentOf(bytes), digest);
  let cuts = 0;
  server.fault = (request) => (request.startsWith('GET') && cuts++ < 3 ? 'cut body' : undefined);
  expect(await buffer(blobs.read(digest))).toEqual(bytes);
  expect(cuts).toBe(4);
  const part = await buffer(blobs.read(digest, { start: 10, end: 59_000 }));
  expect(part).toEqual(bytes.subarray(10, 59_001));
});

describe('a refusal by a bucket', () => {
  test.each([
    [403, 'AccessDenied', 'bucket-denied', /refuses these credentials/],
    [403, 'InvalidAccessKeyId', 'bucket-denied', /refuses these credentials/],
    [403, 'SignatureDoesNotMatch', 'bucket-denied', /refuses these credentials/],
    [404, 'NoSuchBucket', 'bucket-missing', /there is no bucket bucket at http/],
    [403, 'RequestTimeTooSkewed', 'clock-wrong', /the clock of bucket bucket .* says 2/],
    [403, 'QuotaExceeded', 'store-full', /is full/],
  ])(
    'with %i %s says what to do, once, and shows no credentials',
    async (status, code, ours, message) => {
      server.fault = () => ({ status, code });
      const fault = await blobs.put(contentOf(bytes), digest).catch((error: unknown) => error);
      expect(fault).toEqual(coded(ours, message));
      expect(puts()).toBe(1);
      expect(inspect(fault, { depth: 10 })).not.toMatch(new RegExp(`${KEY}|${SECRET}|Signature=`));
    },
  );

  test.each([
    ['an hour off', 3_600_000, 'clock-wrong'],
    ['right', 0, 'bucket-denied'],
  ])(
    'of a HEAD, which says no reason, is a matter of clocks where one is %s',
    async (_, off, ours) => {
      const date = new Date(Date.now() - off).toUTCString();
      server.fault = () => ({ status: 403, code: 'RequestTimeTooSkewed', date });
      await expect(blobs.size(digest)).rejects.toEqual(coded(ours, /./));
    },
  );

  test('comes before a request where other users may read the credentials', async () => {
    const open = join(directory, 'open');
    writeFileSync(open, `AWS_ACCESS_KEY_ID=${KEY}\nAWS_SECRET_ACCESS_KEY=${SECRET}\n`);
    chmodSync(open, 0o644);
    const place = bucketPlace(address.replace(/credentials=.*/, `credentials=${open}`));
    const fault = await new S3Bucket(place, FAST).head('x').catch((error: unknown) => error);
    expect(fault).toEqual(coded('config-invalid', /other users may read/));
    expect(inspect(fault)).not.toContain(SECRET);
    expect(server.requests).toEqual([]);
  });
});

describe('the probe of a bucket', () => {
  test('passes one that keeps what a store promises, and leaves nothing in it', async () => {
    server.objects.set('here/probe/older', Buffer.from('x'));
    await probeBucket(blobs.bucket);
    expect([...server.objects.keys()]).toEqual([]);
  });

  test('passes for many servers that start at once, and removes what an earlier start left', async () => {
    server.objects.set('here/probe/2b0c', Buffer.from('left'));
    await Promise.all(Array.from({ length: 6 }, () => probeBucket(blobs.bucket)));
    expect(server.objects.has('here/probe/2b0c')).toBe(false);
  });

  test('refuses one where every writer wins', async () => {
    server.isConditional = false;
    await expect(probeBucket(blobs.bucket)).rejects.toEqual(
      coded('bucket-unsuitable', /lets 8 of 8 writers/),
    );
  });

  describe('whose answer to a writer who won is lost', () => {
    const losing = (races: number) => {
      const keys = new Set<string>();
      server.fault = (request) => {
        if (!/^PUT .*probe/.test(request) || keys.has(request) || keys.size === races)
          return undefined;
        keys.add(request);
        return 'lose answer';
      };
    };

    test('passes where that ends', async () => {
      losing(2);
      await probeBucket(blobs.bucket);
    });

    test('is tried again later where it does not', async () => {
      losing(Number.POSITIVE_INFINITY);
      await expect(probeBucket(blobs.bucket)).rejects.toEqual(
        coded('store-unavailable', /lost its answer to a write 5 times/),
      );
    });
  });

  test('refuses one where no writer wins', async () => {
    server.fault = (request) =>
      request.startsWith('PUT') ? { status: 412, code: 'PreconditionFailed' } : undefined;
    await expect(probeBucket(blobs.bucket)).rejects.toEqual(
      coded('bucket-unsuitable', /lets 0 of 8 writers/),
    );
  });

  test('refuses one that keeps or kept versions', async () => {
    server.isVersioned = true;
    await expect(probeBucket(blobs.bucket)).rejects.toEqual(
      coded('bucket-unsuitable', /versions of what is erased/),
    );
  });
});

describe('the address of a bucket', () => {
  test('names bucket, prefix, endpoint, region and a file of credentials', () => {
    expect(bucketPlace('s3://pool/a/b/?endpoint=https://s3.example.org&region=eu-1')).toEqual(
      expect.objectContaining({
        ...{ bucket: 'pool', prefix: 'a/b/', endpoint: 'https://s3.example.org' },
        ...{ region: 'eu-1', isPathStyle: true },
      }),
    );
    expect(bucketPlace('s3://pool')).toEqual(
      expect.objectContaining({ prefix: '', region: 'us-east-1', isPathStyle: false }),
    );
  });

  test.each([
    's3://key:hush@pool',
    's3://pool?secret=hush',
    's3://pool?endpoint=https://key:hush@example.org',
    's3://pool/hu sh',
    's3:hush',
    's3://pool?timeout=hush',
  ])('such as %s is refused without repeating it', (text) => {
    expect(() => bucketPlace(text)).toThrow(coded('config-invalid', /^(?!.*hush)/));
  });
});
