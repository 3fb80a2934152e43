import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { TacetError } from '../../../proto/errors.js';

const unzip = promisify(gunzip);

/** RFC 1952 section 2.3.1: ID1 and ID2. No UTF-8 text starts with them. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Whether a path asks for compressed output. */
export function namesGzip(path: string): boolean {
  return path.toLowerCase().endsWith('.gz');
}

/**
 * Bytes as they are, or unpacked where they are gzip, but no more than `maxBytes` of them: undefined
 * where there are more. Throws `corpus-invalid` where the gzip data are damaged.
 */
export async function unpacked(
  bytes: Buffer,
  maxBytes: number,
  origin: string,
): Promise<Buffer | undefined> {
  if (!isGzip(bytes)) return bytes.length > maxBytes ? undefined : bytes;
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw gzipFailure(error, origin);
  }
}

/** The same for a stream of any size, a chunk at a time. */
export async function* unpackedStream(
  chunks: AsyncIterable<Buffer>,
  origin: string,
): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const head = await firstBytes(source);
    const all = follow(head, source);
    yield* isGzip(head) ? gunzipped(all, origin) : all;
  } finally {
    await source.return?.();
  }
}

/** Two bytes or more, unless there are no more. */
async function firstBytes(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const { value, done } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* follow(head: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => source };
}

async function* gunzipped(packed: AsyncIterable<Buffer>, origin: string): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  // A failure or an early end reaches both streams; the loop below sees the failure.
  pipeline(Readable.from(packed, { objectMode: false }), stream, () => undefined);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw gzipFailure(error, origin);
  }
}

function gzipFailure(error: unknown, origin: string): unknown {
  if (!codeOf(error).startsWith('Z_')) return error;
  return new TacetError(
    'corpus-invalid',
    `${origin}: the gzip data are damaged or cut off; copy the file again`,
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
