import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';

const LIST = '/v1/snapshots';

let server: Server;
let asked: string[];

afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

/** A server whose pages are these, by the query that asks for each. */
async function clientOf(pages: Readonly<Record<string, [body: string, link?: string]>>) {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const query = (request.url ?? '').slice(`/behind${LIST}`.length);
    const [body, link] = pages[query] ?? ['[]'];
    if (link !== undefined) response.setHeader('Link', link);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new ServiceClient({ baseUrl: `http://127.0.0.1:${port}/behind`, token: 'secret' });
}

test('a list is read from all of its pages, also behind a path of the proxy', async () => {
  const client = await clientOf({
    '': ['[1,2]', '<?cursor=a>; rel="next"'],
    '?cursor=a': ['[3]', '<?cursor=b>; rel=next'],
    '?cursor=b': ['[4]', '<?cursor=a>; rel="prev"'],
  });
  expect(await client.list(LIST)).toEqual([1, 2, 3, 4]);
});

test.each([
  ['to another server', '<http://127.0.0.1:9/behind/v1/snapshots?cursor=a>; rel="next"'],
  ['to another list', '<contributions?cursor=a>; rel="next"'],
  ['to itself for ever', '<?cursor=a>; rel="next"'],
])('a page that leads %s is not followed', async (_, link) => {
  const client = await clientOf({ '': ['[1]', link], '?cursor=a': ['[2]', link] });
  await expect(client.list(LIST)).rejects.toEqual(
    expect.objectContaining({ code: 'server-failed' }),
  );
  expect(asked.every((url) => url.startsWith(`/behind${LIST}`))).toBe(true);
  expect(asked.length).toBeLessThan(4);
});

test('a page that is no list is refused', async () => {
  const client = await clientOf({ '': ['{}'] });
  await expect(client.list(LIST)).rejects.toEqual(
    expect.objectContaining({ code: 'server-failed' }),
  );
});
