import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blobs } from '../pool-store/blobs/blobs.js';
import { CachedBlobs } from '../pool-store/blobs/cached-blobs.js';
import { S3Bucket } from '../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../pool-store/blobs/s3/bucket-place.js';
import { S3Blobs } from '../pool-store/blobs/s3/s3-blobs.js';
import type { Snapshot } from '../pool-store/snapshots/snapshot.js';
import { readWindows } from '../pool-store/snapshots/snapshot-reader.js';
import { startDelayingProxy } from './delaying-proxy.js';
import type { Measurement } from './measurement.js';
import { segments } from './pool-traffic.js';
import { SEGMENT_SHAPE } from './segment-shape.js';

const DELAY_MS = 20;
const SEGMENT_BYTES = 16 * 2 ** 20;
const SEGMENTS = 8;

/** One block after the other, as from a disk. */
class OneByOne extends S3Blobs {
  override readonly parallelReads = 1;
}

/**
 * A snapshot read from the bucket that `TACET_BENCH_BUCKET` names, 20 ms away. Every reading has an order of its
 * own, as every epoch of a training has.
 */
export async function* farBlobsBench(): AsyncGenerator<Measurement> {
  const address = process.env.TACET_BENCH_BUCKET;
  if (address === undefined) {
    const how = 'TACET_BENCH_BUCKET names a bucket, as test/scale/object-gateway start prints it';
    process.stderr.write(`skipped: far-blobs; ${how}\n`);
    return;
  }
  const near = bucketPlace(address);
  const proxy = await startDelayingProxy(near.endpoint ?? '', DELAY_MS);
  const place = { ...near, prefix: 'bench/', endpoint: proxy.url };
  const root = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  try {
    const snapshot = await fill(new S3Blobs(new S3Bucket({ ...near, prefix: 'bench/' })));
    const far = new S3Blobs(new S3Bucket(place));
    const cached = await CachedBlobs.over(far, {
      directory: join(root, 'cache'),
      mostBytes: 2 * snapshot.bytes,
    });
    let seed = 0;
    const reading = async (name: string, blobs: Blobs): Promise<Measurement> => {
      const [start, before] = [performance.now(), proxy.requests];
      for await (const _ of readWindows({ blobs }, snapshot, ++seed));
      const milliseconds = performance.now() - start;
      const rate = snapshot.bytes / (milliseconds / 1000);
      const requests = `${proxy.requests - before} requests`;
      const of = { bench: 'far-blobs', threads: 1, spread: 0, unit: 'B/s' };
      return { ...of, name: `${name}, ${requests}`, milliseconds, rate };
    };
    yield await reading('block by block', new OneByOne(new S3Bucket(place)));
    yield await reading('16 blocks at a time and a window ahead', far);
    yield await reading('with a cache, the first time', cached);
    await cached.idle();
    yield await reading('with a cache, again', cached);
  } finally {
    proxy.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function fill(blobs: S3Blobs): Promise<Snapshot> {
  const supply = segments(SEGMENT_BYTES);
  const digests: string[] = [];
  let [bytes, sentenceCount] = [0, 0];
  for (let number = 0; number < SEGMENTS; number++) {
    const { value } = supply.next();
    if (!value) break;
    const read = async function* () {
      yield value.bytes;
    };
    await blobs.put({ bytes: value.bytes.length, read }, value.digest);
    digests.push(value.digest);
    bytes += value.bytes.length;
    sentenceCount += value.sentences;
  }
  await blobs.bucket.close();
  return {
    ...SEGMENT_SHAPE,
    ...{ id: 'bench', created: '', bytes, sentenceCount, tokens: 0, institutions: [], parts: [] },
    ...{ segments: digests, withdrawn: false },
  } as unknown as Snapshot;
}
