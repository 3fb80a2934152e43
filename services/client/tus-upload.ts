import { DetailedError, Upload } from 'tus-js-client';
import { TacetError } from '../../proto/errors.js';
import { errorOf } from '../../proto/problem.js';
import type { UploadOptions, UploadTarget } from './call-options.js';
import { ResumeFile } from './resume-file.js';

/** Long enough for a server to be restarted; counted anew after every byte of progress. */
const RETRY_DELAYS_MS = [100, 300, 1000, 2000, 3000, 5000, 5000];

export interface TusUpload extends UploadOptions {
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly target: UploadTarget;
}

/** Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload), resuming at the last byte kept. */
export async function uploadByTus(
  content: ConstructorParameters<typeof Upload>[0],
  { endpoint, headers, target, resumeFile, signal, progress }: TusUpload,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint,
      headers,
      metadata: { digest: target.digest, kind: target.kind },
      fingerprint: () => Promise.resolve(`${endpoint} ${target.digest}`),
      retryDelays: RETRY_DELAYS_MS,
      removeFingerprintOnSuccess: true,
      ...(resumeFile === undefined ? {} : { urlStorage: new ResumeFile(resumeFile) }),
      onBeforeRequest: (request) => requireSameOrigin(request.getURL(), endpoint),
      onShouldRetry: (error) =>
        !isOurs(causeOf(error)) && mayPass(error.originalResponse?.getStatus()),
      onProgress: (done, total) => progress?.({ step: 'upload', done, total, unit: 'bytes' }),
      onError: (error) => reject(failureOf(error, endpoint)),
      onSuccess: () => resolve(),
    });
    signal?.addEventListener('abort', () => {
      upload.abort().finally(() => reject(signal.reason));
    });
    start(upload).catch(reject);
  });
  signal?.throwIfAborted();
}

/** Where the server says that an upload lies goes the token, too. */
function requireSameOrigin(url: string, endpoint: string): void {
  if (new URL(url, endpoint).origin === new URL(endpoint).origin) return;
  throw new TacetError(
    'server-failed',
    `${endpoint} leads elsewhere with an upload, which is not followed; give the address that the server is at`,
  );
}

function causeOf(error: Error): unknown {
  return error instanceof DetailedError ? error.causingError : undefined;
}

function isOurs(error: unknown): error is TacetError {
  return error instanceof TacetError;
}

/** A refusal stays one, and a full disk is full for longer than a retry; locks and crashes pass. */
function mayPass(status: number | undefined): boolean {
  if (status === undefined || status === 409 || status === 423) return true;
  return status >= 500 && status !== 507;
}

async function start(upload: Upload): Promise<void> {
  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  upload.start();
}

function failureOf(error: Error, endpoint: string): Error {
  if (!(error instanceof DetailedError)) return error;
  const cause = causeOf(error);
  if (isOurs(cause)) return cause;
  const response = error.originalResponse;
  if (response) return errorOf(response.getStatus(), response.getBody(), endpoint);
  return new TacetError('server-unreachable', `no answer from ${endpoint} to an upload`, {
    cause: error,
  });
}
