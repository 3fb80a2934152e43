import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BlobContent } from '../../pool-store/blobs/blobs.js';
import { digestOf } from '../../pool-store/blobs/digest-of.js';
import { S3Bucket } from '../../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../../pool-store/blobs/s3/bucket-place.js';
import { probeBucket } from '../../pool-store/blobs/s3/bucket-probe.js';
import { RETRIES } from '../../pool-store/blobs/s3/retries.js';
import { S3Blobs } from '../../pool-store/blobs/s3/s3-blobs.js';
import { ServiceClient } from '../../services/client/client.js';
import { contentOf } from '../pool-store/content.js';
import { newPlace } from '../pool-store/test-place.js';
import { startRecordingProxy } from '../services/recording-proxy.js';
import {
  contributionOf,
  createWorld,
  segmentOf,
  serve,
  sha256,
  type World,
} from '../services/world.js';

/** Where `object-gateway start` put what it started; `make test-scale` sets it. */
const GATEWAY = process.env.TACET_TEST_GATEWAY;
if (GATEWAY === undefined) {
  process.stderr.write('skipped: faults of an object storage, which make test-scale starts\n');
}
const onGateway = GATEWAY === undefined ? describe.skip : describe;
const SCRIPT = 'test/scale/object-gateway';
const run = promisify(execFile);

const gateway = () => Number(readFileSync(`${GATEWAY}/gateway.pid`, 'utf8'));
const signal = (name: NodeJS.Signals) => process.kill(gateway(), name);
const revive = () => run(SCRIPT, ['revive', String(GATEWAY)]);
const coded = (code: string) => expect.objectContaining({ code });

const bytes = Buffer.alloc(6_000_000, 'tacet ');
const digest = createHash('sha256').update(bytes).digest('hex');
let blobs: S3Blobs;

beforeEach(() => {
  if (GATEWAY === undefined) return;
  blobs = blobsOver(newPlace());
});
afterEach(() => {
  if (GATEWAY !== undefined) signal('SIGCONT');
});

function blobsOver(place: string): S3Blobs {
  return new S3Blobs(new S3Bucket(bucketPlace(`${place}&timeout=2`)));
}

/** The same bytes; `inTheMiddle` is called once half of them were given for the first time to be sent. */
function interrupted(inTheMiddle: () => unknown): BlobContent {
  let readings = 0;
  return {
    bytes: bytes.length,
    read: async function* () {
      // The first reading is for the sums.
      const isFirst = ++readings === 2;
      yield bytes.subarray(0, 3_000_000);
      await delay(isFirst ? 200 : 0);
      if (isFirst) await inTheMiddle();
      yield bytes.subarray(3_000_000);
    },
  };
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of blobs.bucket.list('')) found.push(key);
  return found;
}

onGateway('blobs in a bucket', () => {
  test('of a gateway that honours conditional writes pass the probe', async () => {
    await probeBucket(blobs.bucket);
    expect(await keys()).toEqual([]);
  });

  test('are whole or not there when the gateway is killed in the middle of a put', async () => {
    let after: Promise<number | undefined> | undefined;
    await blobs.put(
      interrupted(() => {
        signal('SIGKILL');
        after = revive().then(() => blobs.size(digest));
      }),
      digest,
    );
    expect([undefined, bytes.length]).toContain(await after);
    expect(await digestOf(blobs.read(digest))).toBe(digest);
    expect(await keys()).toEqual([`blobs/${digest}`]);
  });

  test('are whole or not there when the gateway pauses in the middle of a put, and not doubled', async () => {
    const putting = blobs.put(
      interrupted(() => {
        signal('SIGSTOP');
        setTimeout(() => signal('SIGCONT'), 5000);
      }),
      digest,
    );
    await putting;
    expect(await digestOf(blobs.read(digest))).toBe(digest);
    expect(await keys()).toEqual([`blobs/${digest}`]);
  });

  test('whose content cannot be read to its end are not there, and the process goes on', async () => {
    const broken: BlobContent = {
      bytes: bytes.length,
      async *read() {
        yield bytes.subarray(0, 1_000_000);
        throw new Error('the disk broke');
      },
    };
    const sums = {
      md5: createHash('md5').update(bytes).digest(),
      sha256: Buffer.from(digest, 'hex'),
    };
    const bucket = new S3Bucket(blobs.bucket.place, { ...RETRIES, attempts: 2 });
    await expect(bucket.put('broken', broken, sums)).rejects.toThrow();
    expect(await bucket.head('broken')).toBeUndefined();
    await bucket.close();
    await blobs.put(contentOf(bytes), digest);
    expect(await blobs.size(digest)).toBe(bytes.length);
  });

  test('are unavailable while the gateway is gone, and can be put when it is back', async () => {
    signal('SIGKILL');
    await expect(blobs.put(contentOf(bytes), digest)).rejects.toEqual(coded('store-unavailable'));
    await expect(blobs.size(digest)).rejects.toEqual(coded('store-unavailable'));
    await revive();
    expect(await keys()).toEqual([]);
    await blobs.put(contentOf(bytes), digest);
    expect(await blobs.size(digest)).toBe(bytes.length);
  });

  test.each(['request', 'answer'] as const)(
    'are there once where the connection is lost at the %s of a put',
    async (when) => {
      const place = newPlace();
      blobs = blobsOver(place);
      const [, target = ''] = /endpoint=([^&]+)/.exec(place) ?? [];
      const proxy = await startRecordingProxy(target);
      const through = blobsOver(place.replace(target, proxy.url));
      proxy.breakAt('PUT /', when);
      await through.put(contentOf(bytes), digest);
      expect(await keys()).toEqual([`blobs/${digest}`]);
      await through.bucket.close();
    },
  );

  test('leave no bytes when they are erased, wherever they were', async () => {
    await blobs.put(contentOf(bytes), digest);
    await blobs.putAside(digest);
    await blobs.put(contentOf(bytes), digest);
    await blobs.isolate(digest);
    await blobs.put(contentOf(bytes), digest);
    expect(await keys()).toHaveLength(3);
    await blobs.erase(digest);
    expect(await keys()).toEqual([]);
  });
});

onGateway('a pool whose bucket pauses', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.remove());

  test('answers that it is unavailable, loses no upload, and goes on afterwards', async () => {
    const servers = await serve(world, { blobs: `${newPlace()}&timeout=1` });
    const url = servers.addresses.pool ?? '';
    const institution = new ServiceClient({ baseUrl: url, token: world.tokens.institution });
    const segment = segmentOf(50, 1);
    const target = { digest: sha256(segment), kind: 'segment' } as const;
    signal('SIGSTOP');
    const blob = fetch(`${url}/v1/blobs/${'ab'.repeat(32)}`, {
      headers: { Authorization: `Bearer ${world.tokens.consumer}` },
    });
    // What the catalog alone answers is answered.
    expect((await blob).status).toBe(404);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const uploading = institution.upload(segment, target);
    await delay(4000);
    signal('SIGCONT');
    await uploading;
    const envelope = contributionOf([segment], world.keys.institution);
    const { id } = await institution.json<{ id: string }>('POST', '/v1/contributions', envelope);
    expect(await institution.has(target.digest)).toBe(true);
    await institution.json('DELETE', `/v1/contributions/${id}`);
    expect(await servers.store.blobs.size(target.digest)).toBeUndefined();
    await servers.close();
  });
});
