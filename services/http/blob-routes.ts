import type { Request, Response } from 'express';
import type { ByteRange } from '../../pool-store/blobs/blobs.js';
import type { Role } from '../../pool-store/members/tokens.js';
import type { BlobKind, BlobRecord } from '../../pool-store/segments/blob-record.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import type { Answer } from './answer.js';
import { type Call, type Route, route } from './route.js';
import { sendBytes } from './send-bytes.js';

/** Who may read a blob of this service, and who may only ask whether it is there. */
export interface BlobAccess {
  readonly kind: BlobKind;
  readonly readers: readonly Role[];
  readonly askers: readonly Role[];
  /** Throws where readers may not read this one; they may read all without it. */
  readonly requireReadable?: (digest: string) => Promise<void>;
}

const NOT_MODIFIED = { 304: { description: 'The blob is what If-None-Match names' } };
const BYTES: Answer = {
  media: ['application/octet-stream'],
  others: { 206: { description: 'The range that was asked for' }, ...NOT_MODIFIED },
};

export function blobRoutes(
  store: Store,
  { kind, readers, askers, requireReadable }: BlobAccess,
): Route[] {
  const path = PATHS.blob;
  const answer = async ({ params, request, response, token }: Call) => {
    const record = await store.blobRecords.get(params.digest);
    const { digest, bytes, owner } = record;
    // Its next upload says whose it is; who asks whether to upload shall do so.
    if (owner === null && !readers.includes(token.role)) throw lossOf(digest, request.method);
    if (record.kind !== kind) throw new TacetError('not-found', `there is no blob ${digest}`);
    if (readers.includes(token.role)) await requireReadable?.(digest);
    if ((await store.blobs.size(digest)) !== bytes) throw lossOf(digest, request.method);
    await send(store, record, request, response);
  };
  return [
    route({
      method: 'head',
      path,
      summary: 'Whether a blob is held',
      roles: [...new Set([...readers, ...askers])],
      streams: true,
      answer: { others: NOT_MODIFIED },
      handle: answer,
    }),
    route({
      method: 'get',
      path,
      summary: 'The bytes of a blob, whole or by ranges',
      roles: readers,
      streams: true,
      answer: BYTES,
      handle: answer,
    }),
  ];
}

async function send(
  { blobs }: Store,
  { digest, bytes }: BlobRecord,
  request: Request,
  response: Response,
): Promise<void> {
  // The name is the digest of the bytes, so it is their strong validator too (RFC 9110, 8.8.3).
  const tag = `"${digest}"`;
  const type = 'application/octet-stream';
  response.set({ ETag: tag, 'Content-Type': type, 'Accept-Ranges': 'bytes' });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const range = rangeOf(request, response, tag, bytes);
  if (range) {
    const { start, end } = range;
    response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  response.set('Content-Length', String(end - start + 1));
  if (request.method === 'HEAD') response.end();
  else await sendBytes(blobs.read(digest, range), response);
}

/**
 * The one range that is asked for; anything else is answered with the whole, as RFC 9110, sections
 * 13.1.5 and 14.2 let a server do. Throws `range-invalid`.
 */
function rangeOf(
  request: Request,
  response: Response,
  tag: string,
  bytes: number,
): ByteRange | undefined {
  const condition = request.get('if-range');
  if (request.method !== 'GET' || (condition !== undefined && condition !== tag)) return undefined;
  const ranges = request.range(bytes);
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${bytes}`);
    throw new TacetError('range-invalid', `the blob has ${bytes} bytes`);
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** Who asks whether to upload shall upload again; who wants the bytes shall learn of the damage. */
function lossOf(digest: string, method: string): TacetError {
  const code = method === 'HEAD' ? 'not-found' : 'store-damaged';
  return new TacetError(code, `blob ${digest} is lost; it can be uploaded again`);
}
