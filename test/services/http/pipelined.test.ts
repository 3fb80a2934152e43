import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { sendBytes } from '../../../services/http/send-bytes.js';
import { listen } from '../../../services/http/server.js';
import { endAfterTests } from '../left-over.js';

const asked = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;

/** A connection to a server that answers with `app`. */
async function connectionTo(app: RequestListener) {
  const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  endAfterTests(async () => {
    socket.destroy();
    await server.close();
  });
  return socket;
}

test('whoever goes away is not answered on, however many requests were sent on one connection', async () => {
  let begun = 0;
  let open = 0;
  async function* endless() {
    for (;;) yield Buffer.alloc(2 ** 16);
  }
  const socket = await connectionTo((_, response) => {
    begun++;
    open++;
    sendBytes(endless(), response as Response).finally(() => open--);
  });
  socket.write(asked('/1') + asked('/2') + asked('/3'));
  await once(socket, 'data');
  socket.destroy();
  for (let i = 0; i < 100 && open > 0; i++) await delay(20);
  expect(begun).toBeGreaterThan(0);
  expect(open).toBe(0);
});

test('requests that were sent on one connection before an answer came are answered in their order', async () => {
  const socket = await connectionTo(async (request, response) => {
    if (request.url === '/1') await delay(50);
    response.end(`answer to ${request.url}\n`);
  });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(asked('/1') + asked('/2') + asked('/3'));
  for (let i = 0; i < 100 && !text.includes('/3'); i++) await delay(20);
  expect(text.match(/answer to \S+/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3']);
});
