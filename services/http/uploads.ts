import { MemoryLocker, type ServerOptions, Server as TusServer } from '@tus/server';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { BlobKind } from '../../pool-store/segments/blob-record.js';
import type { Store } from '../../pool-store/store.js';
import { MAX_CHECKPOINT_BYTES } from '../../pool-store/training/training-job.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { type Problem, problemOf } from '../../proto/problem.js';
import { MAX_SEGMENT_BYTES } from '../../proto/segment-frame.js';
import { type Explain, explainInFull } from './explained-error.js';
import type { Limits } from './limits.js';
import { noteProblem } from './problem-answer.js';
import { tokenOf } from './token-access.js';
import { TusUploads } from './tus-uploads.js';
import { UploadPatch } from './upload-patch.js';

const MAX_BYTES: Readonly<Record<BlobKind, number>> = {
  segment: MAX_SEGMENT_BYTES,
  'bundle-file': 2 ** 31,
  checkpoint: MAX_CHECKPOINT_BYTES,
};
const DIGEST = /^[0-9a-f]{64}$/;

type TusRequest = Parameters<NonNullable<ServerOptions['onUploadCreate']>>[0];
type TusUpload = Parameters<NonNullable<ServerOptions['onUploadCreate']>>[1];

/** Resumable uploads (tus 1.0) of one kind of blob into a store. */
export class Uploads {
  readonly #uploads: TusUploads;
  readonly #tus: TusServer;
  readonly #patch: UploadPatch;
  readonly #explain: Explain;

  constructor(
    readonly store: Store,
    readonly kind: BlobKind,
    logger: Logger,
    limits: Limits,
  ) {
    this.#explain = explainInFull(logger);
    this.#uploads = new TusUploads(store, kind, limits);
    const locker = new MemoryLocker();
    this.#patch = new UploadPatch(this.#uploads, locker);
    this.#tus = new TusServer({
      path: PATHS.uploads,
      datastore: this.#uploads,
      locker,
      maxSize: MAX_BYTES[kind],
      // The client knows the address better than a server behind a proxy does.
      relativeLocation: true,
      allowedOrigins: [],
      onIncomingRequest: async (request, id) => {
        if (request.method !== 'POST') await this.#uploads.own(id, tokenOf(nodeOf(request).req));
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
      onResponseError: (request, error) => this.#problem(request, error),
    });
  }

  /** Answers one request of the protocol; what its headers lack is refused by the library. */
  async handle(request: Request, response: Response): Promise<void> {
    await (isPatch(request) ? this.#patch : this.#tus).handle(request, response);
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
    const token = tokenOf(nodeOf(request).req);
    return { digest, kind, owner: token.id, holder: token.name };
  }

  #problem(request: TusRequest, error: Error | { status_code: number; body: string }) {
    const problem = 'status_code' in error ? refusal(error) : problemOf(this.#explain(error));
    noteProblem(nodeOf(request).res, problem.code);
    return { status_code: problem.status, body: JSON.stringify(problem) };
  }
}

/** Whether the headers are those of a PATCH of tus 1.0, whose values it then checks. */
function isPatch(request: Request): boolean {
  return (
    request.method === 'PATCH' &&
    request.get('tus-resumable') === '1.0.0' &&
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

/** The problem of a refusal by the protocol itself, which keeps its status. */
function refusal({ status_code: status, body }: { status_code: number; body: string }): Problem {
  const code = CODES[status] ?? (status < 500 ? 'request-invalid' : 'internal');
  return { ...problemOf(new TacetError(code, body.trim())), status };
}

function nodeOf(request: TusRequest): { req: object; res: object } {
  const { req, res } = request.runtime?.node ?? {};
  if (!req || !res) throw new TacetError('internal', 'the upload did not arrive over HTTP');
  return { req, res };
}
