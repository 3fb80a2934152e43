import { createHash, randomUUID } from 'node:crypto';
import { TacetError } from '../../../proto/errors.js';
import type { S3Bucket } from './bucket.js';
import { nameOfPlace } from './bucket-place.js';

const FOLDER = 'probe/';
const RACES = 5;
const WRITERS = 8;
/** Races whose winner did not hear of it; as many say that the bucket is too slow now to be tried. */
const UNDECIDED = 5;
/** More than the clocks of two servers differ by. */
const LEFT_OVER_MS = 3_600_000;

/**
 * Tries whether a bucket keeps what a store promises of its blobs. Throws `bucket-unsuitable` where of
 * several writers of one new key not exactly one wins, where ranges are not honoured, or where it
 * keeps versions, so that an erased blob would stay; `store-unavailable` where answers are lost again and again; and
 * what `S3Bucket` does. What an earlier probe left is removed.
 */
export async function probeBucket(bucket: S3Bucket): Promise<void> {
  await requireNoVersions(bucket);
  for await (const { key } of bucket.list(FOLDER)) if (isLeftOver(key)) await bucket.delete(key);
  let decided = 0;
  for (let race = 0; decided < RACES; race++) {
    if (race - decided === UNDECIDED)
      throw new TacetError(
        'store-unavailable',
        `${nameOfPlace(bucket.place)} lost its answer to a write ${UNDECIDED} times while it was tried; try again`,
      );
    if (await isDecided(bucket, `${FOLDER}${Date.now()}-${randomUUID()}`)) decided++;
  }
}

/** Another server that starts beside this one has its own probe in the bucket, which must not vanish under it. */
function isLeftOver(key: string): boolean {
  const [, begun = '0'] = /^probe\/(\d{13})-/.exec(key) ?? [];
  return Date.now() - Number(begun) > LEFT_OVER_MS;
}

/** Throws `bucket-unsuitable`, and what `S3Bucket` does. */
export async function requireNoVersions(bucket: S3Bucket): Promise<void> {
  if (await bucket.keepsVersions())
    throw unsuitable(bucket, 'keeps versions of what is erased; name one that never kept any');
}

/** Whether one writer knows that it won: whose answer was lost finds its own object when it tries again. */
async function isDecided(bucket: S3Bucket, key: string): Promise<boolean> {
  try {
    const wins = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => write(bucket, key, `writer ${writer}`)),
    );
    const winners = wins.filter(Boolean).length;
    if (winners === 0 && (await bucket.head(key)) !== undefined) return false;
    if (winners !== 1) {
      throw unsuitable(
        bucket,
        `lets ${winners} of ${WRITERS} writers of one new key win (If-None-Match); exactly one may`,
      );
    }
    const part = await bucket.get(key, { range: { start: 2, end: 5 } });
    const text = part && Buffer.concat(await part.body.toArray()).toString();
    if (text !== 'iter') throw unsuitable(bucket, 'gives other bytes than a range asks for');
    return true;
  } finally {
    await bucket.delete(key).catch(() => {});
  }
}

function write(bucket: S3Bucket, key: string, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const sum = (algorithm: string) => createHash(algorithm).update(bytes).digest();
  const content = {
    bytes: bytes.length,
    read: async function* () {
      yield bytes;
    },
  };
  return bucket.put(key, content, { md5: sum('md5'), sha256: sum('sha256') });
}

function unsuitable(bucket: S3Bucket, why: string): TacetError {
  return new TacetError('bucket-unsuitable', `${nameOfPlace(bucket.place)} ${why}`);
}
