import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';
import { type Answered, answeringServer } from './answering-server.js';

type Server = Awaited<ReturnType<typeof answeringServer>>;

const DIGEST = 'a'.repeat(64);

let elsewhere: Server;
let server: Server;

beforeEach(async () => {
  elsewhere = await answeringServer(() => ({ status: 200, body: '{"name":"x"}' }));
});
afterEach(() => Promise.all([server.close(), elsewhere.close()]));

async function clientOf(answer: Parameters<typeof answeringServer>[0]): Promise<ServiceClient> {
  server = await answeringServer(answer);
  return new ServiceClient({ baseUrl: server.url, token: 'secret' });
}

const asked = (client: ServiceClient): Readonly<Record<string, () => Promise<unknown>>> => ({
  GET: () => client.json('GET', '/v1/models'),
  POST: () => client.json('POST', '/v1/contributions', { vectors: 1 }),
  HEAD: () => client.has(DIGEST),
});

test.each([
  ['GET', 301],
  ['GET', 302],
  ['POST', 307],
  ['POST', 308],
  ['HEAD', 307],
])('a server that answers %s by %d does not lead to another one', async (method, status) => {
  const client = await clientOf(({ path }) => ({
    ...{ status, headers: { location: elsewhere.url + path } },
  }));
  await expect(asked(client)[method]?.()).rejects.toEqual(
    expect.objectContaining({
      code: 'server-failed',
      message: expect.stringContaining('leads elsewhere'),
    }),
  );
  expect(elsewhere.requests).toEqual([]);
});

test.each([
  ['another address', () => elsewhere.url],
  ['another name of the same machine', () => server.url.replace('127.0.0.1', 'localhost')],
])('neither vectors nor the token of an upload go to %s', async (_, place) => {
  const client = await clientOf(
    ({ method }): Answered =>
      method === 'POST'
        ? {
            ...{ status: 201 },
            headers: { location: `${place()}/upload`, 'tus-resumable': '1.0.0' },
          }
        : { status: 404 },
  );
  await expect(
    client.upload(Buffer.from('vectors'), { digest: DIGEST, kind: 'segment' }),
  ).rejects.toEqual(
    expect.objectContaining({
      code: 'server-failed',
      message: expect.stringContaining('leads elsewhere'),
    }),
  );
  expect(elsewhere.requests).toEqual([]);
  expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'POST']);
});
