import type { BlobKind } from '../../pool-store/blob-records.js';
import type { Store } from '../../pool-store/store.js';
import type { Role } from '../../pool-store/tokens.js';
import { TacetError } from '../../proto/errors.js';
import { type Call, type Route, route } from './route.js';

/** Who may read a blob of this service, and who may only ask whether it is there. */
export interface BlobAccess {
  readonly kind: BlobKind;
  readonly readers: readonly Role[];
  readonly askers: readonly Role[];
}

export function blobRoutes(store: Store, { kind, readers, askers }: BlobAccess): Route[] {
  const path = '/v1/blobs/{digest}';
  const answer = async ({ params, request, response }: Call) => {
    const { digest, ...record } = store.blobRecords.get(params.digest);
    if (record.kind !== kind) throw new TacetError('not-found', `there is no blob ${digest}`);
    if (!store.blobs.holds(digest, record.bytes)) throw lost(digest, request.method);
    // The name is the digest of the bytes, so it is their strong validator too (RFC 9110, 8.8.3).
    response.set({ ETag: `"${digest}"`, 'Content-Type': 'application/octet-stream' });
    await new Promise<void>((resolve, reject) => {
      const options = { root: store.blobs.directory, acceptRanges: true, cacheControl: false };
      response.sendFile(store.blobs.nameOf(digest), options, (error) => {
        if (error && !response.headersSent) reject(error);
        else resolve();
      });
    });
  };
  return [
    route({
      method: 'head',
      path,
      summary: 'Whether a blob is held',
      roles: [...new Set([...readers, ...askers])],
      handle: answer,
    }),
    route({
      method: 'get',
      path,
      summary: 'The bytes of a blob, whole or by ranges',
      roles: readers,
      handle: answer,
    }),
  ];
}

/** Who asks whether to upload shall upload again; who wants the bytes shall learn of the damage. */
function lost(digest: string, method: string): TacetError {
  const code = method === 'HEAD' ? 'not-found' : 'store-damaged';
  return new TacetError(code, `blob ${digest} is lost; it can be uploaded again`);
}
