import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Command } from 'commander';
import {
  clientFor,
  type TokenOptions,
  withTokenOptions,
} from '../../../services/cli/credentials.js';
import { TemporaryFiles } from '../../models/text/corpus/temporary-files.js';

const files = new TemporaryFiles();
const sent: (string | undefined)[] = [];
const server = createServer(({ headers }, response) => {
  sent.push(headers.authorization);
  response.setHeader('Content-Type', 'application/json').end('{}');
});
let file: string;

beforeAll(async () => {
  file = join(files.write({}), 'token');
  writeFileSync(file, 'of-the-file\n', { mode: 0o600 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
const before = process.env.TACET_TOKEN;
afterEach(() => {
  sent.length = 0;
  if (before === undefined) delete process.env.TACET_TOKEN;
  else process.env.TACET_TOKEN = before;
});
afterAll(() => {
  server.close().closeAllConnections();
  files.remove();
});

/** What a command with these options sends. */
async function sentWith(...args: readonly string[]) {
  const command = withTokenOptions(new Command())
    .exitOverride()
    .configureOutput({
      writeErr: () => {},
    });
  const options = command.parse([...args], { from: 'user' }).opts<TokenOptions>();
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await (await clientFor(address, options)).json('GET', '/v1/models');
  return sent;
}

test.each([
  ['of the file', () => ['--token-file', file], 'Bearer of-the-file'],
  ['that is named', () => ['--token', 'named'], 'Bearer named'],
  ['of the environment', () => [], 'Bearer of-the-environment'],
])('the token %s is sent where the environment has one', async (_, args, expected) => {
  process.env.TACET_TOKEN = 'of-the-environment';
  expect(await sentWith(...args())).toEqual([expected]);
});

test('none is sent where none is there', async () => {
  delete process.env.TACET_TOKEN;
  expect(await sentWith()).toEqual([undefined]);
});

test('a token and a file of one are a wrong command line', async () => {
  await expect(sentWith('--token', 'named', '--token-file', file)).rejects.toThrow(/--token-file/);
  expect(sent).toEqual([]);
});
