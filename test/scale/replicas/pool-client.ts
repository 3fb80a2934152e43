import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../../models/tensor/random.js';
import type { Envelope } from '../../../proto/dsse.js';
import { sha256 } from '../../services/world.js';
import type { Cluster } from './cluster.js';

const RETRY_MS = 100;
/** Of a contribution that no server takes. */
const INVALID = 422;
const PATIENCE_MS = 120_000;
const PIECE_BYTES = 8000;
/** After which a request counts as lost, and its server as one that does not answer. */
const SILENT_MS = 15_000;

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Speaks to the servers of a cluster: to one that is named, or to any until one answers as wanted. */
export class PoolClient {
  /** Requests that were made again. */
  retried = 0;
  readonly #random: Random;

  constructor(
    private readonly cluster: Cluster,
    seed: number,
  ) {
    this.#random = new Random(seed);
  }

  async begin(i: number, segment: Uint8Array): Promise<string> {
    const response = await this.#fetch(i, '/v1/uploads', {
      method: 'POST',
      headers: {
        ...this.#tusHeaders(),
        'Upload-Length': String(segment.length),
        'Upload-Metadata': `digest ${base64(sha256(segment))},kind ${base64('segment')}`,
      },
    });
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    return response.headers.get('location') ?? '';
  }

  async send(i: number, path: string, offset: number, bytes: Uint8Array): Promise<number> {
    const { status } = await this.#fetch(i, path, {
      method: 'PATCH',
      headers: {
        ...this.#tusHeaders(),
        'Upload-Offset': String(offset),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(bytes),
    });
    return status;
  }

  /** Undefined where no upload is under way there. */
  async offset(i: number, path: string): Promise<number | undefined> {
    const headers = this.#tusHeaders();
    const response = await this.#fetch(i, path, { method: 'HEAD', headers });
    if (response.ok) return Number(response.headers.get('upload-offset'));
    if (response.status === 404 || response.status === 410) return undefined;
    throw new Error(`${response.status} for the offset of an upload`);
  }

  ask(i: number, method: string, path: string, body?: unknown): Promise<Response> {
    return this.#fetch(i, path, {
      method,
      headers: { ...this.#bearer('institution'), 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** As a consumer: the id of a snapshot of all that the model encoded. */
  async freeze(i: number, model: string): Promise<string> {
    return (await this.json<{ id: string }>(i, 'POST', '/v1/snapshots', { model })).id;
  }

  /** As a consumer: what an answer holds. Throws where it is no success. */
  async json<T>(i: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#fetch(i, path, {
      method,
      headers: { ...this.#bearer('consumer'), 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** As a consumer: the digest of all bytes of a snapshot. Throws where they do not come to their end. */
  async read(i: number, snapshot: string): Promise<string> {
    const path = `/v1/snapshots/${snapshot}/sentences?format=protobuf&seed=1`;
    const headers = this.#bearer('consumer');
    const response = await this.#fetch(i, path, { headers });
    if (!response.ok) throw new Error(`${response.status} for a snapshot`);
    const hash = createHash('sha256');
    for await (const chunk of response.body ?? []) hash.update(chunk);
    return hash.digest('hex');
  }

  /** Uploads a segment in pieces, each to any server, and contributes it; returns the contribution's id. */
  async give(segment: Uint8Array, envelope: Envelope): Promise<string> {
    const id = await this.offer(segment, envelope);
    if (id === undefined) throw new Error('a contribution is too near to another');
    return id;
  }

  /** The same; undefined where it is refused since it is too near to what was given before. */
  async offer(segment: Uint8Array, envelope: Envelope): Promise<string | undefined> {
    while (!(await this.#upload(segment))) this.retried++;
    const { status, said } = await this.insist(async (i) => {
      const response = await this.ask(i, 'POST', '/v1/contributions', envelope);
      const answer = { status: response.status, said: await response.text() };
      if (!response.ok && answer.status !== INVALID)
        throw new Error(`${answer.status}: ${answer.said}`);
      return answer;
    });
    if (status !== INVALID) return JSON.parse(said).id;
    if (/too near/.test(said)) return undefined;
    throw new Error(said);
  }

  /** Asks one server after another, until one answers as wanted. */
  async insist<T>(attempt: (i: number) => Promise<T | undefined>): Promise<T> {
    let last: unknown = 'no answer was of use';
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
      const done = await attempt(this.#random.integer(this.cluster.size)).catch((error) => {
        last = error;
      });
      if (done !== undefined) return done as T;
      this.retried++;
      await delay(RETRY_MS);
    }
    throw new Error('no server took it', { cause: last });
  }

  /** Returns whether the bytes are a blob; where the upload is lost on the way the whole is to be sent again. */
  async #upload(segment: Uint8Array): Promise<boolean> {
    const digest = sha256(segment);
    const path = await this.insist((i) => this.begin(i, segment));
    for (let offset = 0; offset < segment.length; ) {
      const piece = segment.subarray(offset, offset + PIECE_BYTES);
      const any = this.#random.integer(this.cluster.size);
      const status = await this.send(any, path, offset, piece).catch(() => 0);
      const isAcknowledged = status === 204 && offset + piece.length < segment.length;
      const found = await this.insist(async (i) => {
        const at = await this.offset(i, path);
        if (at !== undefined) return at;
        const blob = await this.ask(i, 'HEAD', `/v1/blobs/${digest}`);
        if (blob.ok) return segment.length;
        return blob.status === 404 ? -1 : undefined;
      });
      if (isAcknowledged && found < offset + piece.length)
        throw new Error(`${offset + piece.length} bytes were acknowledged, ${found} are there`);
      if (found < 0) return false;
      offset = found;
    }
    return true;
  }

  #fetch(i: number, path: string, request: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(SILENT_MS);
    return fetch(this.cluster.address(i) + path, { ...request, signal });
  }

  #bearer(role: 'institution' | 'consumer') {
    return { Authorization: `Bearer ${this.cluster.world.tokens[role]}` };
  }

  #tusHeaders() {
    return { ...this.#bearer('institution'), 'Tus-Resumable': '1.0.0' };
  }
}
