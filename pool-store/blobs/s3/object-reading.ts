import { TacetError } from '../../../proto/errors.js';
import type { ByteRange, OpenBlob } from '../blobs.js';
import type { ObjectState, S3Bucket } from './bucket.js';
import { bucketFault, isPassing } from './bucket-fault.js';
import { retried } from './retries.js';

/** What is known of an object that is read; any is, where its ETag is not known. */
type ReadState = Pick<ObjectState, 'bytes'> & Partial<Pick<ObjectState, 'etag'>>;

/** One object, read as it was when it was opened. */
export class OpenObject implements OpenBlob {
  constructor(
    readonly bucket: S3Bucket,
    readonly key: string,
    readonly state: ReadState,
  ) {}

  get bytes(): number {
    return this.state.bytes;
  }

  async readInto(offset: number, target: Buffer): Promise<void> {
    const range = { start: offset, end: offset + target.length - 1 };
    let place = 0;
    for await (const chunk of readObject(this.bucket, this.key, this.state, range)) {
      target.set(chunk, place);
      place += chunk.length;
    }
    if (place === target.length) return;
    const message = `the segment has no ${target.length} bytes at byte ${offset}`;
    throw new TacetError('segment-invalid', message);
  }

  async close(): Promise<void> {}
}

/**
 * The bytes of an object, within a range that may reach beyond its end. Where a connection breaks it goes on
 * from the byte after the last, as often as a request is tried without a byte in between. Throws `not-found`
 * where the object is gone, or is another one.
 */
export async function* readObject(
  bucket: S3Bucket,
  key: string,
  { bytes, etag }: ReadState,
  range: ByteRange = { start: 0, end: bytes - 1 },
): AsyncGenerator<Uint8Array> {
  const end = Math.min(range.end, bytes - 1);
  let { start } = range;
  while (start <= end) {
    const next = () => firstOf(bucket, key, { range: { start, end }, etag });
    const { chunk, rest } = await retried(next, isPassing, bucket.policy).catch((error) => {
      throw bucketFault(error, bucket.place);
    });
    try {
      start += chunk.length;
      yield chunk;
      for await (const one of rest) {
        start += one.length;
        yield one;
      }
    } catch (error) {
      if (!isPassing(error)) throw bucketFault(error, bucket.place);
    } finally {
      // Whoever leaves with the first bytes leaves a body that would keep its connection.
      await rest.return?.();
    }
  }
}

/** The first bytes of a body, and the others. */
async function firstOf(
  bucket: S3Bucket,
  key: string,
  how: { range: ByteRange; etag: string | undefined },
) {
  const found = await bucket.get(key, how);
  if (!found) throw new TacetError('not-found', `there is no object ${key} as it was a moment ago`);
  const rest: AsyncIterableIterator<Uint8Array> = found.body.iterator();
  const { done, value } = await rest.next();
  if (done) throw new Error('the body ends before its first byte');
  return { chunk: value as Uint8Array, rest };
}
