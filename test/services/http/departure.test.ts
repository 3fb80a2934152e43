import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { departureOf } from '../../../services/http/request-parts.js';
import { endAfterTests } from '../left-over.js';

test('a client that went away before its request was worked on is known to have gone', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  endAfterTests(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1' }).on('error', () => {});
  const [, response] = await once(server, 'request');
  request.destroy();
  await once(response, 'close');
  expect(departureOf(response as unknown as Response).aborted).toBe(true);
});
