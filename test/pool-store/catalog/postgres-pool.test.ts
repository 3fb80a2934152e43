import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { PostgresDriver } from '../../../pool-store/catalog/postgres-driver.js';
import { poolOf } from '../../../pool-store/catalog/postgres-pool.js';

/** A message of PostgreSQL's protocol (chapter "Message Formats"): a letter, the length with itself, and the rest. */
function message(letter: string, ...rest: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(rest.map((part) => Buffer.from(part)));
  const head = Buffer.from(`${letter}....`);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

const ACCEPTED = message('R', Buffer.alloc(4));
const READY = message('Z', 'I');
const ENDS = message('E', 'SFATAL\0C57P01\0Mthe server ends\0\0');

test('a server that ends in the moment in which it gives a connection ends no process of ours', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([ACCEPTED, READY, ENDS])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = poolOf({ url: `postgres://tacet@127.0.0.1:${port}/tacet` });
  const driver = new PostgresDriver(pool, { limits: { statementMs: 1000, idleMs: 1000 } });

  const connection = await driver.acquireConnection();
  await expect(connection.run('SELECT 1')).rejects.toEqual(
    expect.objectContaining({ code: 'catalog-unreachable' }),
  );
  expect(connection.isBroken).toBe(true);

  await driver.releaseConnection(connection);
  await driver.destroy();
  server.close();
});
