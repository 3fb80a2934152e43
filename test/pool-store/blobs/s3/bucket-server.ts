import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { endAfterTests } from '../../../services/left-over.js';

/** What a bucket does wrong with a request; undefined where it does right. */
export type Fault =
  | { readonly status: number; readonly code: string; readonly date?: string }
  | 'lose answer'
  | 'cut body'
  | undefined;

/**
 * As much of S3 as `S3Bucket` asks for, in memory, with faults where a test wants them: what it proves is what our
 * side makes of them. How a real one behaves is tried on a real one (`make test-scale`).
 */
export class BucketServer {
  readonly objects = new Map<string, Buffer>();
  readonly requests: string[] = [];
  /** Asked for each request, by its method and path. */
  fault: (request: string, number: number) => Fault = () => undefined;
  isConditional = true;
  isVersioned = false;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  /** Returns its address, as `--blobs` takes it. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    endAfterTests(() => this.close());
    const { port } = this.#server.address() as AddressInfo;
    return `s3://bucket/here?endpoint=http://127.0.0.1:${port}&timeout=1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const key = decodeURIComponent(pathname.replace(/^\/bucket\/?/, ''));
    const line = `${request.method} ${key}`;
    this.requests.push(line);
    const body = await buffer(request);
    const fault = this.fault(line, this.requests.length);
    if (typeof fault === 'object') {
      const xml = `<Error><Code>${fault.code}</Code><Message>no</Message></Error>`;
      const { status, date } = fault;
      const headers = { 'Content-Type': 'application/xml', ...(date !== undefined && { date }) };
      response.writeHead(status, headers).end(xml);
      return;
    }
    const answer = this.#carryOut(request, key, searchParams, body);
    if (fault === 'lose answer') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, {
      ...(answer.body && { 'Content-Length': answer.body.length, ETag: etagOf(answer.body) }),
      ...answer.headers,
    });
    if (request.method === 'HEAD') response.end();
    else if (fault === 'cut body' && answer.body) {
      response.write(answer.body.subarray(0, answer.body.length >> 1), () => {
        setTimeout(() => request.socket.destroy(), 20);
      });
    } else response.end(answer.body);
  }

  #carryOut(
    { method, headers }: IncomingMessage,
    key: string,
    query: URLSearchParams,
    body: Buffer,
  ): { status: number; body?: Buffer; headers?: Record<string, string> } {
    const held = this.objects.get(key);
    if (key === '') return { status: 200, body: Buffer.from(this.#ofBucket(query)) };
    if (method === 'PUT') {
      const md5 = headers['content-md5'];
      if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64'))
        return { status: 400, body: Buffer.from('<Error><Code>BadDigest</Code></Error>') };
      if (this.isConditional && headers['if-none-match'] === '*' && held) return { status: 412 };
      this.objects.set(key, body);
      return { status: 200, headers: { ETag: etagOf(body) } };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    if (!held) return { status: 404 };
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (start === undefined) return { status: 200, body: held };
    const part = held.subarray(Number(start), Number(end) + 1);
    return { status: 206, body: part, headers: { ETag: etagOf(held) } };
  }

  #ofBucket(query: URLSearchParams): string {
    if (query.has('versioning')) {
      const status = this.isVersioned ? '<Status>Suspended</Status>' : '';
      return `<VersioningConfiguration>${status}</VersioningConfiguration>`;
    }
    const prefix = query.get('prefix') ?? '';
    const listed = [...this.objects].filter(([key]) => key.startsWith(prefix));
    const contents = listed.map(
      ([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`,
    );
    return `<ListBucketResult>${contents.join('')}</ListBucketResult>`;
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
