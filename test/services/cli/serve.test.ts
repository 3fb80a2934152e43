import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';
import { rawBlobs } from '../../pool-store/test-place.js';
import { catalogFlags, spawnServe, tacet } from '../serve-process.js';
import { createWorld, segmentOf, serve, sha256 } from '../world.js';
import { capturedRun } from './captured-run.js';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tacet-serve-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

describe('tacet serve', () => {
  test('ends with status 0 when it is asked to stop', async () => {
    const server = await spawnServe(data);
    expect((await fetch(`${server.addresses.pool}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test('ends while it starts when it is asked to, and leaves its directory to the next', async () => {
    const asked = new Error('asked to end');
    await expect(serve({ data }, { signal: AbortSignal.abort(asked) })).rejects.toBe(asked);
    await (await serve({ data })).close();
  });

  test('says in one line that its port is in use', async () => {
    const server = await spawnServe(join(data, 'one'));
    const { port } = new URL(server.addresses.pool);
    const second = await tacet('serve', '--pool', '--data', join(data, 'two'), '--port', port);
    await server.kill();
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`^tacet: address-in-use: 127.0.0.1:${port} .*\n$`, 'm'),
    );
    expect(second.stderr).not.toMatch(/ at /);
    expect(existsSync(join(data, 'two'))).toBe(false);
  });

  test('says in one line that another process serves its directory', async () => {
    const server = await spawnServe(data);
    const second = await tacet('serve', '--pool', '--data', data, '--port', '0');
    await server.kill();
    expect(second).toEqual(expect.objectContaining({ code: 1, stdout: '' }));
    expect(second.stderr).toMatch(/^tacet: store-busy: .*\n$/);
  });

  test.each([
    [['serve']],
    [['serve', '--data', 'd', '--port', '70000']],
    [['serve', '--data', 'd', '--unknown']],
    [['token', 'create', '--data', 'd', '--role', 'king', '--name', 'x']],
  ])('treats %j as a wrong command line', async (args) => {
    expect((await tacet(...args)).code).toBe(2);
  });
});

describe('tacet token', () => {
  test('makes a token that a running server takes, until it is revoked', async () => {
    const server = await spawnServe(data);
    const at = ['--data', data, ...(await catalogFlags(data))];
    const create = ['--json', 'token', 'create', ...at, '--role', 'admin', '--name', 'op'];
    const { id, token } = JSON.parse((await tacet(...create)).stdout);
    const client = new ServiceClient({ baseUrl: server.addresses.pool, token });
    expect(await client.json('GET', '/v1/tokens')).toEqual([
      expect.objectContaining({ id, role: 'admin', name: 'op' }),
    ]);
    expect((await tacet('token', 'list', ...at)).stdout).toMatch(id);
    await tacet('token', 'revoke', id, ...at);
    await expect(client.json('GET', '/v1/tokens')).rejects.toEqual(
      expect.objectContaining({ code: 'unauthorized' }),
    );
    await server.kill();
  });

  test('writes a token to a new file that its owner alone may read', async () => {
    const out = join(data, 'op.token');
    const create = ['token', 'create', '--data', data, '--role', 'admin', '--name', 'op'];
    const made = await tacet('--json', ...create, '--out', out);
    const token = readFileSync(out, 'utf8').trim();
    expect(made.stdout).not.toContain(token);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const again = await tacet(...create, '--out', out);
    expect([again.code, readFileSync(out, 'utf8').trim()]).toEqual([3, token]);
    expect(again.stderr).toMatch(/^tacet: file-exists: /);

    const { id } = JSON.parse(made.stdout);
    const rotated = join(data, 'op-2.token');
    await tacet('token', 'rotate', id, '--data', data, '--out', rotated);
    expect(readFileSync(rotated, 'utf8').trim()).not.toBe(token);
    const unknown = join(data, 'unknown.token');
    const failed = await tacet('token', 'rotate', 'nobody', '--data', data, '--out', unknown);
    expect([failed.code, existsSync(unknown)]).toEqual([3, false]);
  });

  test('and a key are said not to be there where a list is empty', async () => {
    const server = await spawnServe(data);
    const at = ['--data', data, ...(await catalogFlags(data))];
    expect((await tacet('token', 'list', ...at)).stdout).toBe('the store holds no tokens\n');
    expect(JSON.parse((await tacet('--json', 'token', 'list', ...at)).stdout)).toEqual([]);
    const out = join(data, 'op.token');
    await tacet('token', 'create', ...at, '--role', 'admin', '--name', 'op', '--out', out);
    const list = ['identity', 'list', '--server', server.addresses.pool, '--token-file', out];
    expect((await tacet(...list)).stdout).toBe('no key was asked for at the server\n');
    await server.kill();
  });

  test('is not made to end in the past, nor a store for it', async () => {
    const directory = join(data, 'none');
    const create = ['token', 'create', '--data', directory, '--role', 'admin', '--name', 'op'];
    const refused = await tacet(...create, '--expires', '2001-01-01');
    expect([refused.code, existsSync(directory)]).toEqual([2, false]);
    expect(refused.stderr).toMatch(
      /^tacet: usage: --expires: 2001-\S+ is past; give a time to come/,
    );
  });

  test.each(['soon', '30d', '1', '2030', '31.01.2030', '2030-13-01', '2030-02-30T00:00:00Z'])(
    'does not end at %s, which is no time',
    async (text) => {
      const directory = join(data, 'none');
      const create = ['token', 'create', '--data', directory, '--role', 'admin', '--name', 'op'];
      const refused = await capturedRun(...create, '--expires', text);
      expect([refused.exit, existsSync(directory)]).toEqual([2, false]);
      expect(refused.stderr).toMatch(`usage: --expires: ${text} is no time; expected one such as`);
    },
  );

  test('ends when a day begins, or at a time of another zone', async () => {
    const create = ['token', 'create', '--data', data, '--role', 'admin', '--name', 'op'];
    for (const text of ['2130-01-31', '2130-01-31T00:30+02:00'])
      await capturedRun(...create, '--expires', text);
    const { stdout } = await capturedRun('--json', 'token', 'list', '--data', data);
    expect(JSON.parse(stdout).map(({ expires }: { expires: string }) => expires)).toEqual([
      '2130-01-31T00:00:00.000Z',
      '2130-01-30T22:30:00.000Z',
    ]);
  });

  test('that cannot be made leaves no store', async () => {
    const directory = join(data, 'none');
    const create = ['token', 'create', '--data', directory, '--role', 'admin', '--name', 'op'];
    for (const [says, ...options] of [
      ['file-unwritable', '--out', join(data, 'missing', 'op.token')],
      ['catalog-unreachable', '--catalog', 'postgres://nobody@127.0.0.1:1/none'],
    ]) {
      const failed = await tacet(...create, ...options);
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(says)]);
      expect(existsSync(directory)).toBe(false);
    }
  });

  test('is not taken from a file that others may read', async () => {
    const file = join(data, 'open.token');
    writeFileSync(file, 'a-token-of-more-than-sixteen', { mode: 0o644 });
    const to = ['--server', 'http://127.0.0.1:9', '--token-file', file];
    const refused = await tacet('identity', 'list', ...to);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^tacet: config-invalid: .*chmod 600/);
    const encoder = ['encoder', 'serve', '--home', data, '--embeddings', 'wink', '--model', data];
    const serving = await tacet(...encoder, '--trust', file, '--access', file);
    expect(serving.stderr).toMatch(/^tacet: config-invalid: .*chmod 600/);
  });

  test('keeps no secret on disk', async () => {
    const create = ['--json', 'token', 'create', '--data', data, '--role', 'admin', '--name', 'op'];
    const { token } = JSON.parse((await tacet(...create)).stdout);
    const [, secret] = token.split('.');
    const stored = readFileSync(join(data, 'catalog.db'));
    expect(stored.includes(secret)).toBe(false);
    expect(stored.includes(Buffer.from(secret, 'base64url'))).toBe(false);
  });
});

describe('tacet store verify', () => {
  test('names a blob whose bytes changed', async () => {
    const world = await createWorld();
    const server = await spawnServe(world.data);
    const client = new ServiceClient({
      baseUrl: server.addresses.pool,
      token: world.tokens.institution,
    });
    const segment = segmentOf(20, 1);
    const digest = sha256(segment);
    await client.upload(segment, { digest, kind: 'segment' });
    const verify = ['store', 'verify', '--data', world.data, ...(await catalogFlags(world.data))];
    expect((await tacet(...verify)).code).toBe(0);
    const blobs = rawBlobs(world.data);
    const bytes = await blobs.read(digest);
    bytes[40] ^= 1;
    await blobs.write(digest, bytes);
    const found = await tacet(...verify);
    await server.kill();
    world.remove();
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(`damaged ${digest}`);
    expect(found.stderr).toMatch(/^tacet: store-damaged: /m);
  });

  test('makes no store where there is none', async () => {
    const found = await tacet('store', 'verify', '--data', join(data, 'nothing'));
    expect(found.code).toBe(3);
    expect(found.stderr).toMatch(/^tacet: file-not-found: /);
  });
});
