import { once } from 'node:events';
import { createReadStream, ReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { context, propagation } from '@opentelemetry/api';
import { MAX_FILE_BYTES } from '../../models/bundle/bundle-files.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import { errorOf } from '../../proto/problem.js';
import { readSegmentStream, type SegmentStream } from '../../proto/segment.js';
import {
  bodyOf,
  parseAnswer,
  requireAtMost,
  requireDigest,
  requireUnpacked,
  textOf,
} from './answer-body.js';
import { MOST_LIST_BYTES, MOST_PAGES, MOST_PROBLEM_BYTES, mostJsonBytes } from './answer-limits.js';
import type { CallOptions, DownloadOptions, UploadOptions, UploadTarget } from './call-options.js';
import { resumedStream } from './resumed-stream.js';
import { uploadByTus } from './tus-upload.js';

export interface ServiceClientOptions {
  /** `http://host:port`, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly token?: string;
}

export interface SentenceOptions extends CallOptions {
  readonly seed: number;
  /** Only the part whose contributions were made with so many copies of each note. */
  readonly copies?: number | undefined;
}

/** One at a time is enough for the server to finish the check of a blob that has just arrived. */
const CONFIRM_DELAYS_MS = [0, 100, 300, 1000, 3000];

/** Answers to HEAD hold no problem details; these statuses have one meaning each for a blob. */
const ANSWERS_WITHOUT_BODY: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['unauthorized', 'the token is missing, malformed, expired or revoked; give a valid one'],
  403: ['forbidden', 'the token may not read this; give one with the role for it'],
  404: ['not-found', 'there is no such blob'],
  410: ['withdrawn', 'the blob was withdrawn'],
};

/**
 * Speaks to a registry or a pool. Every failure is a `TacetError`: the code that the server stated,
 * `server-unreachable` where no server answers, `server-failed` where an answer is not ours or is longer
 * than any of ours.
 */
export class ServiceClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  constructor({ baseUrl, token }: ServiceClientOptions) {
    if (!URL.canParse(baseUrl)) throw new TacetError('usage', `not a URL: ${baseUrl}`);
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#token = token;
  }

  /** Sends `body` as JSON and returns the answer's JSON, undefined where it has none. */
  async json<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    { signal }: CallOptions = {},
  ): Promise<T> {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await this.#answer(path, { method, headers, ...content }, signal)) as T;
  }

  /**
   * The rows of a list, from all of its pages: one leads to the next by its `Link` (RFC 8288). Throws
   * `server-failed` where a page leads elsewhere, for the token goes there too, or where pages do not end.
   */
  async list<T>(path: string, { signal }: CallOptions = {}): Promise<T[]> {
    const rows: T[] = [];
    const seen = new Set<string>();
    let bytesLeft = MOST_LIST_BYTES;
    for (let next: string | undefined = path; next !== undefined; ) {
      if (seen.has(next) || seen.size === MOST_PAGES) throw strayed(`${this.#baseUrl}${next}`);
      seen.add(next);
      const response = await this.#fetch(next, { method: 'GET' }, signal);
      const address: string = `${this.#baseUrl}${next}`;
      const content = await textOf(response, address, Math.min(bytesLeft, mostJsonBytes(path)));
      bytesLeft -= Buffer.byteLength(content);
      const page = parseAnswer(content, address);
      const query = nextQuery(response.headers.get('link'), address);
      if (!Array.isArray(page) || (page.length === 0 && query !== undefined))
        throw strayed(address);
      for (const row of page) rows.push(row as T);
      next = query === undefined ? undefined : path.replace(/\?.*/, '') + query;
    }
    return rows;
  }

  /** Whether the server holds the blob. */
  async has(digest: string, { signal }: CallOptions = {}): Promise<boolean> {
    try {
      await this.#fetch(pathTo(PATHS.blob, { digest }), { method: 'HEAD' }, signal);
      return true;
    } catch (error) {
      if (error instanceof TacetError && error.code === 'not-found') return false;
      throw error;
    }
  }

  /**
   * Uploads bytes, or the file at a path, unless the server holds them already. Resumes where the
   * connection or the server broke off; throws once the server is gone for longer than a restart, and
   * `route-unknown` where it is none that takes such blobs.
   */
  async upload(
    source: Uint8Array | string,
    target: UploadTarget,
    options: UploadOptions = {},
  ): Promise<void> {
    try {
      await this.#upload(source, target, options);
    } catch (error) {
      if (error instanceof TacetError && error.code === 'forbidden')
        await this.#requireTakerOf(target, options);
      throw error;
    }
  }

  async #upload(
    source: Uint8Array | string,
    target: UploadTarget,
    options: UploadOptions,
  ): Promise<void> {
    if (await this.has(target.digest, options)) return;
    const content = await contentOf(source);
    try {
      await uploadByTus(content, {
        endpoint: `${this.#baseUrl}${PATHS.uploads}`,
        headers: this.#authorization(),
        target,
        ...options,
      });
    } finally {
      if (content instanceof ReadStream) content.destroy();
    }
    await this.#confirm(target.digest, options);
  }

  /** The bytes of a blob. Throws `digest-mismatch` where they are others than asked for. */
  async download(
    digest: string,
    { mostBytes = MAX_FILE_BYTES, signal }: DownloadOptions = {},
  ): Promise<Uint8Array> {
    const path = pathTo(PATHS.blob, { digest });
    return buffer(requireDigest(digest, await this.stream(path, { mostBytes, signal })));
  }

  /**
   * Writes a blob to a new file, without holding it in memory. Throws `digest-mismatch` at its end, and
   * `server-failed` where it goes on beyond `mostBytes`; no file is left then.
   */
  downloadTo(path: string, digest: string, options: DownloadOptions = {}): Promise<void> {
    return this.saveTo(path, pathTo(PATHS.blob, { digest }), digest, options);
  }

  /** The same of what stands at an address of the server. */
  async saveTo(
    file: string,
    path: string,
    digest: string,
    { mostBytes = MAX_FILE_BYTES, signal }: DownloadOptions = {},
  ): Promise<void> {
    const handle = await open(file, 'wx');
    try {
      const bytes = requireDigest(digest, await this.stream(path, { mostBytes, signal }));
      await pipeline(bytes, handle.createWriteStream());
    } catch (error) {
      await handle.close();
      await rm(file, { force: true });
      throw error;
    }
  }

  /** Sends a file as it is, without holding it in memory, and returns the answer's JSON. */
  async putFile<T>(path: string, file: string, { signal }: CallOptions = {}): Promise<T> {
    const bytes = createReadStream(file);
    const body = Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
    const headers = { 'Content-Type': 'application/octet-stream' };
    const init = { method: 'PUT', headers, body, duplex: 'half' } as const;
    try {
      return (await this.#answer(path, init as RequestInit, signal)) as T;
    } finally {
      // What a server did not take to its end stays open otherwise.
      bytes.destroy();
    }
  }

  /**
   * Reads a snapshot in bounded memory, shuffled by `seed`: the same seed, the same order. Goes on
   * where the connection or the server broke off.
   */
  async sentences(snapshotId: string, options: SentenceOptions): Promise<SegmentStream> {
    const chunks = this.sentenceBytes(snapshotId, 'protobuf', options);
    return readSegmentStream(chunks, { maxBytes: Number.POSITIVE_INFINITY });
  }

  /** The same as bytes in a format of the pool. */
  sentenceBytes(
    snapshotId: string,
    format: string,
    { seed, copies, signal }: SentenceOptions,
  ): AsyncGenerator<Uint8Array> {
    const part = copies === undefined ? '' : `&copies=${copies}`;
    const query = `format=${format}&seed=${seed}${part}`;
    const path = `${pathTo(PATHS.snapshotSentences, { id: snapshotId })}?${query}`;
    return resumedStream(async (start, entityTag) => {
      const range = { Range: `bytes=${start}-`, ...(entityTag && { 'If-Range': entityTag }) };
      const init = { method: 'GET', headers: start > 0 ? range : {} };
      const response = await this.#fetch(path, init, signal);
      const { status, headers } = response;
      const cancel = async () => response.body?.cancel();
      return { bytes: () => bodyOf(response), cancel, entityTag: headers.get('etag'), status };
    });
  }

  /** The answer as it comes, for formats that the caller passes on unread. */
  async stream(path: string, { signal, mostBytes }: DownloadOptions = {}): Promise<Readable> {
    const bytes = bodyOf(await this.#fetch(path, { method: 'GET' }, signal));
    if (mostBytes === undefined) return bytes;
    return Readable.from(requireAtMost(mostBytes, bytes, `${this.#baseUrl}${path}`));
  }

  /** Uploads have the same route at every server, which forbids them to holders of the tokens of others. */
  async #requireTakerOf({ digest, kind }: UploadTarget, { signal }: CallOptions): Promise<void> {
    const path =
      kind === 'bundle-file'
        ? pathTo(PATHS.model, { name: digest, version: digest })
        : pathTo(PATHS.contribution, { id: digest });
    await this.json('GET', path, undefined, { signal }).catch((error: unknown) => {
      if (error instanceof TacetError && error.code === 'route-unknown') throw error;
    });
  }

  async #confirm(digest: string, options: CallOptions): Promise<void> {
    for (const delayMs of CONFIRM_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (await this.has(digest, options)) return;
    }
    throw new TacetError(
      'server-failed',
      `${this.#baseUrl} took an upload but does not hold the blob ${digest}; try again`,
    );
  }

  async #answer(path: string, init: RequestInit, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#fetch(path, init, signal);
    const url = `${this.#baseUrl}${path}`;
    return parseAnswer(await textOf(response, url, mostJsonBytes(path)), url);
  }

  async #fetch(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const url = `${this.#baseUrl}${path}`;
    const headers = { ...init.headers, ...this.#authorization(), 'Accept-Encoding': 'identity' };
    propagation.inject(context.active(), headers);
    const how = { ...init, headers, redirect: 'manual', signal: signal ?? null } as const;
    const response = await fetch(url, how).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new TacetError(
        'server-unreachable',
        `no answer from ${this.#baseUrl}; is the server running and the address right?`,
        { cause },
      );
    });
    await requireUnpacked(response, url);
    if (response.ok) return response;
    if (response.headers.has('location'))
      throw new TacetError(
        'server-failed',
        `${url} leads elsewhere, which is not followed; give the address that the server is at`,
      );
    const answer = init.method === 'HEAD' ? ANSWERS_WITHOUT_BODY[response.status] : undefined;
    if (answer) throw new TacetError(answer[0], `${url}: ${answer[1]}`);
    throw errorOf(response.status, await textOf(response, url, MOST_PROBLEM_BYTES), url);
  }

  #authorization(): Record<string, string> {
    return this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` };
  }
}

/** The query of the page that an answer's `Link` calls the next; undefined where it names none. */
function nextQuery(link: string | null, address: string): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const [own, next] = [new URL(address), new URL(target, address)];
  if (next.origin !== own.origin || next.pathname !== own.pathname) throw strayed(address);
  return next.search;
}

function strayed(address: string): TacetError {
  return new TacetError(
    'server-failed',
    `${address} answered with no list, or with a page that leads astray or on without an end`,
  );
}

async function contentOf(source: Uint8Array | string): Promise<Buffer | ReadStream> {
  if (typeof source !== 'string')
    return Buffer.from(source.buffer, source.byteOffset, source.length);
  const stream = createReadStream(source);
  await once(stream, 'open').catch((cause) => {
    throw new TacetError('file-not-found', `${source}: there is no such file to upload`, { cause });
  });
  return stream;
}
