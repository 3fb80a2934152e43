import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  DefaultHttpStack,
  DetailedError,
  type HttpRequest,
  type HttpStack,
  Upload,
} from 'tus-js-client';
import { TacetError } from '../../proto/errors.js';
import { errorOf } from '../../proto/problem.js';
import type { UploadOptions, UploadTarget } from './call-options.js';
import { ResumeFile } from './resume-file.js';

/** Long enough for a server to be restarted; counted anew after every byte of progress. */
const RETRY_DELAYS_MS = [100, 300, 1000, 2000, 3000, 5000, 5000];
/** A server that stores what it was sent says nothing for a while. */
const SILENCE_MS = 300_000;

export interface TusUpload extends UploadOptions {
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly target: UploadTarget;
  /** A request has failed after so much silence; five minutes unless stated. */
  readonly silenceMs?: number | undefined;
}

/** Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload), resuming at the last byte kept. */
export async function uploadByTus(
  content: ConstructorParameters<typeof Upload>[0],
  options: TusUpload,
): Promise<void> {
  const { endpoint, headers, target, resumeFile, signal, progress, silenceMs } = options;
  signal?.throwIfAborted();
  let stop = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint,
      headers,
      httpStack: new FailingHttpStack(silenceMs),
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
    stop = () => void upload.abort().finally(() => reject(signal?.reason));
    start(upload, signal).catch(reject);
  });
  signal?.addEventListener('abort', stop);
  try {
    await ended;
  } finally {
    // It would keep the bytes for as long as the signal lives.
    signal?.removeEventListener('abort', stop);
  }
  signal?.throwIfAborted();
}

/** The library's own waits for good for a server that falls silent, or breaks its answer off. */
class FailingHttpStack implements HttpStack {
  readonly #own = new DefaultHttpStack({});

  constructor(private readonly silenceMs = SILENCE_MS) {}

  createRequest(method: string, url: string): HttpRequest {
    const request = this.#own.createRequest(method, url);
    const send = request.send.bind(request);
    request.send = (body) => {
      const answer = send(body);
      return Promise.race([answer, failureIn(request.getUnderlyingObject(), this.silenceMs)]);
    };
    return request;
  }

  getName(): string {
    return 'FailingHttpStack';
  }
}

function failureIn(sent: ClientRequest, silenceMs: number): Promise<never> {
  return new Promise((_, reject) => {
    sent.setTimeout(silenceMs, () => sent.destroy(new Error('the server fell silent')));
    sent.once('response', (response: IncomingMessage) => response.on('error', reject));
  });
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

async function start(upload: Upload, signal: AbortSignal | undefined): Promise<void> {
  const [previous] = await upload.findPreviousUploads();
  signal?.throwIfAborted();
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
