import { getEventListeners, once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';
import { uploadByTus } from '../../../services/client/tus-upload.js';
import { endAfterTests } from '../left-over.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const PROTOCOL = { 'Tus-Resumable': '1.0.0' };
const CONTENT = Buffer.from('abc');

/** A server that takes uploads, once it has done with its first requests what `faults` say. */
async function uploadsTo(...faults: readonly Answer[]) {
  const left = [...faults];
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const fault = left.shift();
      if (fault) return fault(request, response);
      const headers =
        request.method === 'POST' ? { Location: '/v1/uploads/1' } : { 'Upload-Offset': '3' };
      response.writeHead(request.method === 'POST' ? 201 : 204, { ...PROTOCOL, ...headers }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endAfterTests(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (signal?: AbortSignal) =>
    uploadByTus(CONTENT, {
      endpoint: `http://127.0.0.1:${port}/v1/uploads`,
      headers: {},
      target: { digest: 'a'.repeat(64), kind: 'segment' },
      silenceMs: 200,
      signal,
    });
}

const breaksOff: Answer = (request, response) => {
  response.writeHead(500, { 'Content-Length': 1000 });
  response.write('x', () => request.socket.destroy());
};
const fallsSilent: Answer = () => {};
const fallsSilentWithin: Answer = (_, response) => {
  response.writeHead(500, { 'Content-Length': 1000 }).write('x');
};

test.each([
  ['breaks its answer off', breaksOff],
  ['falls silent before its answer', fallsSilent],
  ['falls silent within its answer', fallsSilentWithin],
])('an upload to a server that %s goes on with another request', async (_, fault) => {
  const upload = await uploadsTo(fault);
  await upload();
});

test('an upload leaves nothing with the signal that it could have been ended by', async () => {
  const upload = await uploadsTo();
  const { signal } = new AbortController();
  await upload(signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an upload that is ended while its server is silent ends', async () => {
  const controller = new AbortController();
  const upload = await uploadsTo(() => controller.abort(new Error('enough')));
  await expect(upload(controller.signal)).rejects.toThrow('enough');
  await expect(upload(controller.signal)).rejects.toThrow('enough');
});

const whereFilesAreSeen = existsSync('/proc/self/fd') ? test : test.skip;

whereFilesAreSeen.each([
  ['is away', false],
  ['refuses it before its end', true],
])('a file that is sent to a server that %s is let go of', async (_, isThere) => {
  const server = createServer((_request, response) => {
    response.writeHead(409, { 'Content-Type': 'application/problem+json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  endAfterTests(end);
  if (!isThere) end();
  const directory = await mkdtemp(join(tmpdir(), 'tacet-file-'));
  const file = join(directory, 'large');
  await writeFile(file, Buffer.alloc(2 ** 24));
  const client = new ServiceClient({ baseUrl: `http://127.0.0.1:${port}` });
  const isOpen = () =>
    readdirSync('/proc/self/fd').some((fd) => {
      const path = join('/proc/self/fd', fd);
      return existsSync(path) && readlinkSync(path) === file;
    });
  await expect(client.putFile('/', file)).rejects.toThrow();
  for (let i = 0; i < 100 && isOpen(); i++) await delay(10);
  const wasOpen = isOpen();
  await rm(directory, { recursive: true });
  expect(wasOpen).toBe(false);
});
