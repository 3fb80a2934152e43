import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MOST_PAGES, mostJsonBytes } from '../../../services/client/answer-limits.js';
import { ServiceClient } from '../../../services/client/client.js';

const DIGEST = 'a'.repeat(64);
const refused = expect.objectContaining({ code: 'server-failed' });

let server: Server;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-limits-'));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  rmSync(directory, { recursive: true });
});

async function clientOf(answer: RequestListener): Promise<ServiceClient> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new ServiceClient({ baseUrl: `http://127.0.0.1:${port}` });
}

/** Sends the same bytes without an end, as fast as they are taken, and counts them. */
function endless(piece = Buffer.alloc(1_000_000, '1')): { answer: RequestListener; sent: number } {
  const state = {
    sent: 0,
    answer: ((_, response) => {
      const send = () => {
        while (!response.destroyed) {
          state.sent += piece.length;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', send);
      send();
    }) as RequestListener,
  };
  return state;
}

test('an answer that would have to be unpacked is refused, and asked for as it is', async () => {
  const asked: unknown[] = [];
  const packed = gzipSync(JSON.stringify({ name: 'x'.repeat(1_000_000) }));
  const client = await clientOf((request, response) => {
    asked.push(request.headers['accept-encoding']);
    response.setHeader('Content-Encoding', 'gzip').end(packed);
  });
  await expect(client.json('GET', '/v1/models')).rejects.toEqual(refused);
  expect(asked).toEqual(['identity']);
});

describe('a server that goes on without an end', () => {
  test('in an answer of JSON is left once that is longer than any of ours', async () => {
    const hostile = endless();
    const client = await clientOf(hostile.answer);
    await expect(client.json('GET', '/v1/models')).rejects.toEqual(refused);
    expect(hostile.sent).toBeLessThan(2 * mostJsonBytes('/v1/models'));
  });

  test('in the reason of a refusal is left', async () => {
    const hostile = endless();
    const client = await clientOf((request, response) => {
      response.statusCode = 404;
      hostile.answer(request, response);
    });
    await expect(client.json('GET', '/v1/models')).rejects.toEqual(refused);
    expect(hostile.sent).toBeLessThan(32_000_000);
  });

  test.each([
    ['a row', '[1]'],
    ['no row', '[]'],
  ])('in pages of %s is left', async (_, page) => {
    let pages = 0;
    const client = await clientOf((_request, response) => {
      pages++;
      response.setHeader('Link', `<?cursor=${pages}>; rel="next"`).end(page);
    });
    await expect(client.list('/v1/training-jobs')).rejects.toEqual(refused);
    expect(pages).toBe(page === '[]' ? 1 : MOST_PAGES);
  });

  test('in a file is left at what the file may have, and nothing of it stays', async () => {
    const hostile = endless();
    let largest = 0;
    const file = join(directory, 'weights');
    const client = await clientOf((request, response) => {
      hostile.answer(request, response);
      response.on('drain', () => {
        if (existsSync(file)) largest = Math.max(largest, statSync(file).size);
      });
    });
    const mostBytes = 5_000_000;
    await expect(client.downloadTo(file, DIGEST, { mostBytes })).rejects.toEqual(refused);
    expect(largest).toBeLessThanOrEqual(mostBytes);
    expect(hostile.sent).toBeLessThan(mostBytes + 32_000_000);
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('a file that is there stays where one of its name cannot be written', async () => {
  const client = await clientOf((_, response) => response.end('other'));
  const file = join(directory, 'weights');
  await expect(client.downloadTo(file, DIGEST)).rejects.toEqual(
    expect.objectContaining({ code: 'digest-mismatch' }),
  );
  expect(existsSync(file)).toBe(false);
  await expect(client.downloadTo(directory, DIGEST)).rejects.toThrow('EEXIST');
  expect(existsSync(directory)).toBe(true);
});

test('a list of the segments of a snapshot may be as long as a string', () => {
  expect(mostJsonBytes(`/v1/snapshots/${DIGEST}`)).toBeGreaterThan(200_000_000);
});
