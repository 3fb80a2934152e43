import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { TacetError } from '../../../proto/errors.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
let pool: string;
let institution: ServiceClient;
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  pool = servers.addresses.pool ?? '';
  institution = new ServiceClient({ baseUrl: pool, token: world.tokens.institution });
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

/** One request of the tus protocol. */
async function tus(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<Response> {
  return fetch(new URL(path, pool), {
    method,
    headers: {
      Authorization: `Bearer ${world.tokens.institution}`,
      'Tus-Resumable': '1.0.0',
      ...headers,
    },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
}

const metadata = (digest: string, kind = 'segment') =>
  `digest ${Buffer.from(digest).toString('base64')},kind ${Buffer.from(kind).toString('base64')}`;

async function begin(digest: string, bytes: number): Promise<string> {
  const response = await tus('POST', '/v1/uploads', {
    'Upload-Length': String(bytes),
    'Upload-Metadata': metadata(digest),
  });
  expect(response.status).toBe(201);
  return response.headers.get('location') ?? '';
}

const send = (path: string, offset: number, body: Uint8Array) =>
  tus(
    'PATCH',
    path,
    { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
    body,
  );

describe('an upload', () => {
  test('becomes a blob that is read whole, by range and by its ETag', async () => {
    const segment = segmentOf(20, 1);
    const digest = sha256(segment);
    await institution.upload(segment, { digest, kind: 'segment' });
    const envelope = contributionOf([segment], world.keys.institution);
    await institution.json('POST', '/v1/contributions', envelope);
    const get = (headers: Record<string, string>) =>
      fetch(`${pool}/v1/blobs/${digest}`, {
        headers: { Authorization: `Bearer ${world.tokens.consumer}`, ...headers },
      });
    const whole = await get({});
    expect(whole.headers.get('etag')).toBe(`"${digest}"`);
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(digest);
    const part = await get({ Range: 'bytes=2-5' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(Buffer.from(segment.subarray(2, 6)));
    const fresh = { 'If-None-Match': `"${digest}"`, 'Cache-Control': 'max-age=0' };
    expect((await get(fresh)).status).toBe(304);
    expect((await get({ Range: `bytes=${segment.length}-` })).status).toBe(416);
  });

  test('is sent once, however often it is asked for', async () => {
    const segment = segmentOf(20, 2);
    const target = { digest: sha256(segment), kind: 'segment' } as const;
    await institution.upload(segment, target);
    const before = await servers.store.log.head();
    await institution.upload(segment, target);
    expect(await servers.store.log.head()).toEqual(before);
  });

  test('goes on from where it stopped', async () => {
    const segment = segmentOf(20, 3);
    const path = await begin(sha256(segment), segment.length);
    expect((await send(path, 0, segment.subarray(0, 100))).status).toBe(204);
    const asked = await tus('HEAD', path, {});
    expect(asked.headers.get('upload-offset')).toBe('100');
    expect((await send(path, 100, segment.subarray(100))).status).toBe(204);
    expect(await institution.has(sha256(segment))).toBe(true);
  });

  test.each([
    ['before the blob is made', 'put', segmentOf(20, 40)],
    ['after the bytes were moved', 'add', segmentOf(20, 41)],
  ] as const)('whose catalog fails %s goes on at its last byte', async (_when, where, segment) => {
    const digest = sha256(segment);
    const path = await begin(digest, segment.length);
    const { blobs, blobRecords } = servers.store;
    const away = new TacetError('catalog-unreachable', 'the catalog is away for a moment');
    const failing =
      where === 'put'
        ? jest.spyOn(blobs, 'put').mockRejectedValueOnce(away)
        : jest.spyOn(blobRecords, 'add').mockRejectedValueOnce(away);
    const refused = await send(path, 0, segment);
    failing.mockRestore();
    expect(await refused.json()).toEqual(coded('catalog-unreachable'));
    const asked = await tus('HEAD', path, {});
    const offset = Number(asked.headers.get('upload-offset'));
    expect([asked.status, offset < segment.length]).toEqual([200, true]);
    expect((await send(path, offset, segment.subarray(offset))).status).toBe(204);
    expect(await institution.has(digest)).toBe(true);
  });

  test('whose request hangs is taken over by the next one, at the last byte kept', async () => {
    const segment = segmentOf(20, 30);
    const path = await begin(sha256(segment), segment.length);
    const { hostname, port } = new URL(pool);
    const hanging = connect(Number(port), hostname);
    const closed = once(hanging, 'close');
    const head = [
      `PATCH ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${world.tokens.institution}`,
      'Tus-Resumable: 1.0.0',
      'Upload-Offset: 0',
      'Content-Type: application/offset+octet-stream',
      `Content-Length: ${segment.length}`,
    ];
    hanging.on('error', () => {});
    hanging.write(`${head.join('\r\n')}\r\n\r\n`);
    hanging.write(segment.subarray(0, 300));
    // Until the server is at work on it; an answer to HEAD before that stops nothing.
    await delay(500);
    const asked = await tus('HEAD', path, {});
    expect(asked.headers.get('upload-offset')).toBe('300');
    await closed;
    expect((await send(path, 300, segment.subarray(300))).status).toBe(204);
    expect(await institution.has(sha256(segment))).toBe(true);
  });

  test('of one segment by many clients at once ends in one blob', async () => {
    const segment = segmentOf(400, 31);
    const digest = sha256(segment);
    const before = (await servers.store.log.head()).sequence;
    const paths = await Promise.all(Array.from({ length: 8 }, () => begin(digest, segment.length)));
    const answers = await Promise.all(paths.map((path) => send(path, 0, segment)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from(paths, () => 204));
    const stored = (await servers.store.log.entries(before)).filter(
      ({ subject }) => subject === digest,
    );
    expect(stored.map(({ action }) => action)).toEqual(['blob-stored']);
    expect(await institution.has(digest)).toBe(true);
  });

  test('in pieces of any size and by requests of unknown length is the same blob', async () => {
    const segment = segmentOf(10_000, 32);
    expect(segment.length).toBeGreaterThan(450 * 1024);
    const path = await begin(sha256(segment), segment.length);
    let offset = 0;
    for (const size of [1, 100 * 1024, 300 * 1024, segment.length]) {
      const piece = segment.subarray(offset, offset + size);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(piece);
          controller.close();
        },
      });
      const answer = await fetch(new URL(path, pool), {
        method: 'PATCH',
        headers: {
          Authorization: `Bearer ${world.tokens.institution}`,
          'Tus-Resumable': '1.0.0',
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        },
        body,
        duplex: 'half',
      } as RequestInit);
      expect(answer.status).toBe(204);
      offset += piece.length;
      expect(answer.headers.get('upload-offset')).toBe(String(offset));
    }
    expect(await institution.has(sha256(segment))).toBe(true);
  });

  test('of other bytes than announced leaves no blob and no upload', async () => {
    const segment = segmentOf(20, 4);
    const flipped = Uint8Array.from(segment);
    flipped[50] ^= 1;
    const path = await begin(sha256(segment), segment.length);
    const answer = await send(path, 0, flipped);
    expect(await answer.json()).toEqual(coded('digest-mismatch'));
    expect(await institution.has(sha256(segment))).toBe(false);
    expect(await institution.has(sha256(flipped))).toBe(false);
    expect((await tus('HEAD', path, {})).status).toBe(404);
  });

  test('that is no segment is refused, though its digest is right', async () => {
    const bytes = segmentOf(20, 5).subarray(0, -3);
    const answer = institution.upload(bytes, { digest: sha256(bytes), kind: 'segment' });
    await expect(answer).rejects.toEqual(coded('segment-invalid'));
    expect(await institution.has(sha256(bytes))).toBe(false);
  });

  test('beyond the size of a segment is refused before it is sent', async () => {
    const response = await tus('POST', '/v1/uploads', {
      'Upload-Length': String(64 * 1024 * 1024 + 1),
      'Upload-Metadata': metadata('ab'.repeat(32)),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(coded('body-too-large'));
  });

  test('takes no byte more than announced', async () => {
    const segment = segmentOf(20, 6);
    const path = await begin(sha256(segment), 100);
    const answer = await send(path, 0, segment);
    expect(answer.status).toBe(413);
    expect((await tus('HEAD', path, {})).headers.get('upload-offset')).toBe('0');
  });

  test.each([
    [
      'without a digest',
      { 'Upload-Metadata': `kind ${Buffer.from('segment').toString('base64')}` },
    ],
    ['with a digest that is a path', { 'Upload-Metadata': metadata('../../catalog.db') }],
    ['of another kind', { 'Upload-Metadata': metadata('ab'.repeat(32), 'bundle-file') }],
  ])('%s is refused', async (_, headers) => {
    const response = await tus('POST', '/v1/uploads', { 'Upload-Length': '10', ...headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(coded('request-invalid'));
  });

  test.each([
    ['POST', '/v1/uploads', { 'Tus-Resumable': '0.2.2', 'Upload-Length': '5' }, 412],
    ['POST', '/v1/uploads', { 'Upload-Length': 'x' }, 400],
    ['POST', '/v1/uploads', { 'Upload-Length': '5' }, 400],
    ['PATCH', '', { 'Upload-Offset': '0', 'Content-Type': 'text/plain' }, 400],
    ['PATCH', '', { 'Content-Type': 'application/offset+octet-stream' }, 403],
    ['DELETE', '/v1/uploads/none', {}, 404],
  ])(
    'is told by problem details, and counted, what is wrong in %s %s %j',
    async (method, path, headers, status) => {
      const counted = async () => {
        const monitor = { Authorization: `Bearer ${world.tokens.monitor}` };
        const metrics = await (await fetch(`${pool}/metrics`, { headers: monitor })).text();
        const lines =
          metrics.match(/^tacet_problems_total.*"(request-invalid|not-found)".*$/gm) ?? [];
        return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      };
      const before = await counted();
      const at = path || (await begin('ab'.repeat(32), 10));
      const answer = await tus(method, at, headers);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
      expect(answer.headers.get('tus-version')).toBe(status === 412 ? '1.0.0' : null);
      expect(await answer.json()).toMatchObject({
        ...{ status, code: status === 404 ? 'not-found' : 'request-invalid' },
      });
      expect(await counted()).toBe(before + 1);
    },
  );

  test('of unknown length is refused', async () => {
    const response = await tus('POST', '/v1/uploads', {
      'Upload-Defer-Length': '1',
      'Upload-Metadata': metadata('ab'.repeat(32)),
    });
    expect(await response.json()).toEqual(coded('request-invalid'));
  });

  test('is hidden from every other token', async () => {
    const other = (await servers.store.tokens.create({ role: 'institution', name: 'other' })).token;
    const path = await begin('ab'.repeat(32), 10);
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const response = await tus(method, path, {
        Authorization: `Bearer ${other}`,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      });
      expect(response.status).toBe(404);
    }
    expect((await tus('DELETE', path, {})).status).toBe(204);
  });

  test('is looked for among the uploads alone, whatever stands at the end of the address', async () => {
    const owner = world.tokens.institution.split('.')[0];
    const beside = `${world.data}.json`;
    const about = { digest: 'ab'.repeat(32), kind: 'segment', owner, holder: 'institution' };
    writeFileSync(beside, JSON.stringify({ size: 10, metadata: about }));
    for (const method of ['HEAD', 'DELETE'])
      expect((await tus(method, '/v1/uploads/any?/..', {})).status).toBe(404);
    expect(existsSync(beside)).toBe(true);
    rmSync(beside);
  });

  test('that the caller aborts ends with the reason given', async () => {
    const controller = new AbortController();
    const segment = segmentOf(5000, 7);
    const answer = institution.upload(
      segment,
      { digest: sha256(segment), kind: 'segment' },
      {
        signal: controller.signal,
        progress: () => controller.abort(new Error('enough')),
      },
    );
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('a client', () => {
  test('says that a server is not one of ours', async () => {
    const stranger = createServer((_request, response) => response.end('<html>'));
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const client = new ServiceClient({ baseUrl: `http://127.0.0.1:${port}` });
    await expect(client.json('GET', '/v1/models')).rejects.toEqual(coded('server-failed'));
    await expect(client.download('ab'.repeat(32))).rejects.toEqual(coded('digest-mismatch'));
    stranger.close();
  });

  test('names a file that is not there', async () => {
    const target = { digest: 'ab'.repeat(32), kind: 'segment' } as const;
    const answer = institution.upload('/no/such/file', target);
    await expect(answer).rejects.toEqual(coded('file-not-found'));
  });

  test('names a server that does not answer', async () => {
    const client = new ServiceClient({ baseUrl: 'http://127.0.0.1:9' });
    const answer = client.json('GET', '/v1/statistics');
    await expect(answer).rejects.toEqual(coded('server-unreachable'));
    await expect(answer).rejects.toThrow(/http:\/\/127\.0\.0\.1:9/);
  });
});
