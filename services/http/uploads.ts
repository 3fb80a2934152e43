import { type ServerOptions, Server as TusServer } from '@tus/server';
import type { Request, Response } from 'express';
import type { BlobKind } from '../../pool-store/segments/blob-record.js';
import type { Store } from '../../pool-store/store.js';
import { MAX_CHECKPOINT_BYTES } from '../../pool-store/training/training-job.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { MAX_SEGMENT_BYTES } from '../../proto/segment-frame.js';
import type { Limits } from './limits.js';
import { tokenOf } from './token-access.js';
import { TusUploads } from './tus-uploads.js';
import { UploadLocks } from './upload-locks.js';
import { UploadPatch } from './upload-patch.js';

const MAX_BYTES: Readonly<Record<BlobKind, number>> = {
  segment: MAX_SEGMENT_BYTES,
  'bundle-file': 2 ** 31,
  checkpoint: MAX_CHECKPOINT_BYTES,
};
const TUS_VERSION = '1.0.0';
const DIGEST = /^[0-9a-f]{64}$/;

type TusRequest = Parameters<NonNullable<ServerOptions['onUploadCreate']>>[0];
type TusUpload = Parameters<NonNullable<ServerOptions['onUploadCreate']>>[1];

/** Resumable uploads (tus 1.0) of one kind of blob into a store. */
export class Uploads {
  readonly #uploads: TusUploads;
  readonly #tus: ThrowingServer;
  readonly #patch: UploadPatch;

  constructor(
    readonly store: Store,
    readonly kind: BlobKind,
    limits: Limits,
  ) {
    this.#uploads = new TusUploads(store, kind, limits);
    const locker = new UploadLocks();
    this.#patch = new UploadPatch(this.#uploads, locker);
    this.#tus = new ThrowingServer({
      path: PATHS.uploads,
      datastore: this.#uploads,
      locker,
      maxSize: MAX_BYTES[kind],
      // The client knows the address better than a server behind a proxy does.
      relativeLocation: true,
      allowedOrigins: [],
      onIncomingRequest: async (request, id) => {
        if (request.method !== 'POST') await this.#uploads.own(id, tokenOf(nodeOf(request)));
      },
      onUploadCreate: async (request, upload) => ({
        metadata: await this.#describe(request, upload),
      }),
      // One that is created with its bytes is a blob by then; one of none is not.
      onUploadFinish: async (_request, { id }) => {
        const upload = await store.openUploads.find(id);
        if (upload) await store.openUploads.finish(upload);
        return {};
      },
      onResponseError: (_request, error) => {
        throw 'status_code' in error ? refusal(error) : error;
      },
    });
  }

  /**
   * Answers one request of the protocol. Throws `request-invalid` for headers that are not those of tus 1.0, with its
   * statuses, and as `UploadPatch` and `TusUploads`.
   */
  async handle(request: Request, response: Response): Promise<void> {
    try {
      requireVersion(request, response);
      await (isPatch(request) ? this.#patch : this.#tus).handle(request, response);
    } catch (error) {
      if (!response.headersSent) response.set('Tus-Resumable', TUS_VERSION);
      throw error;
    }
  }

  /** What the upload will be remembered by. Throws `request-invalid` or `withdrawn`. */
  async #describe(request: TusRequest, upload: TusUpload): Promise<Record<string, string>> {
    const { digest, kind } = upload.metadata ?? {};
    if (!digest || !DIGEST.test(digest)) {
      throw new TacetError('request-invalid', 'Upload-Metadata needs digest, a SHA-256 in hex');
    }
    if (kind !== this.kind) {
      throw new TacetError('request-invalid', `Upload-Metadata needs kind, here ${this.kind}`);
    }
    if (upload.size === undefined) {
      throw new TacetError('request-invalid', 'an upload states its Upload-Length at the start');
    }
    if ((await this.store.blobRecords.find(digest))?.erased) {
      throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
    }
    const token = tokenOf(nodeOf(request));
    return { digest, kind, owner: token.id, holder: token.name };
  }
}

/** Throws what it refuses, which the application then answers as any other error. */
class ThrowingServer extends TusServer {
  override async write(...[context, headers, status, body]: Parameters<TusServer['write']>) {
    if (status >= 400) throw refusal({ status_code: status, body: body ?? '' });
    return super.write(context, headers, status, body);
  }
}

/**
 * "If the version specified by the Client is not supported by the Server, it MUST respond with the 412 Precondition
 * Failed status and MUST include the Tus-Version header into the response."
 *
 * Source: https://tus.io/protocols/resumable-upload#tus-version
 */
function requireVersion(request: Request, response: Response): void {
  if (request.get('tus-resumable') === TUS_VERSION) return;
  response.set('Tus-Version', TUS_VERSION);
  throw new Refusal('request-invalid', `expected the header Tus-Resumable: ${TUS_VERSION}`, 412);
}

/** Whether the headers are those of a PATCH, whose values it then checks. */
function isPatch(request: Request): boolean {
  return (
    request.method === 'PATCH' &&
    request.get('content-type') === 'application/offset+octet-stream' &&
    /^\d{1,15}$/.test(request.get('upload-offset') ?? '')
  );
}

/** The protocol's own refusals, by status. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  413: 'body-too-large',
};

/** By the protocol, which has statuses of its own. */
class Refusal extends TacetError {
  constructor(
    code: ErrorCode,
    message: string,
    private readonly byProtocol: number,
  ) {
    super(code, message);
  }

  override get status(): number {
    return this.byProtocol;
  }
}

function refusal({ status_code: status, body }: { status_code: number; body: string }): Refusal {
  const code = CODES[status] ?? (status < 500 ? 'request-invalid' : 'internal');
  return new Refusal(code, body.trim(), status);
}

function nodeOf(request: TusRequest): object {
  const { req } = request.runtime?.node ?? {};
  if (!req) throw new TacetError('internal', 'the upload did not arrive over HTTP');
  return req;
}
