import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
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
