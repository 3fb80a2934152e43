import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen } from '../../../services/http/server.js';
import { endAfterTests } from '../left-over.js';
import { selfSigned } from '../self-signed.js';

/** A connection to a server over TLS that says nothing. */
async function silentAt(limits: typeof DEFAULT_LIMITS) {
  const tls = selfSigned();
  const host = '127.0.0.1';
  const server = await listen((_, response) => response.end(), { host, port: 0, tls, limits });
  const socket = connect(Number(new URL(server.url).port), host).on('error', () => {});
  endAfterTests(() => socket.destroy());
  await once(socket, 'connect');
  return { server, socket };
}

test('a server over TLS ends in time though a connection never agreed on encryption', async () => {
  const { server } = await silentAt(DEFAULT_LIMITS);
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(10_000);
}, 150_000);

test('a connection that never agrees on encryption has as long as one that sends no headers', async () => {
  const { server, socket } = await silentAt({ ...DEFAULT_LIMITS, requestSeconds: 1 });
  const begun = performance.now();
  await once(socket, 'close');
  expect(performance.now() - begun).toBeLessThan(10_000);
  await server.close();
}, 150_000);
