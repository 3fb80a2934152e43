import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import { createKeyFiles, readPrivateKey } from '../../../models/bundle/key-files.js';
import { readSegment } from '../../../proto/segment.js';
import { ServiceClient } from '../../../services/client/client.js';
import { catalogFlags, type ServeProcess, spawnServe, tacet } from '../serve-process.js';
import { contributionOf, createWorld, segmentOf, sha256, type World } from '../world.js';

let world: World;
let server: ServeProcess;
let work: string;

beforeAll(async () => {
  world = await createWorld();
  server = await spawnServe(world.data);
  work = `${world.data}-work`;
  mkdirSync(work);
  for (const [role, token] of Object.entries(world.tokens)) {
    writeFileSync(join(work, role), `${token}\n`, { mode: 0o600 });
  }
});
afterAll(async () => {
  await server.kill();
  world.remove();
  rmSync(work, { recursive: true });
});

const at = (role: string) => ['--token-file', join(work, role)];

describe('an institution', () => {
  test('may sign once its key was asked for and approved', async () => {
    const { publicKeyFile, privateKeyFile, keyId } = await createKeyFiles(join(work, 'keys'));
    const to = ['--server', server.addresses.pool];
    const asked = await tacet(
      ...['identity', 'request', '--key', publicKeyFile, '--name', 'institution'],
      ...[...to, ...at('institution')],
    );
    expect(asked.stdout).toMatch(`requested ${keyId}`);
    await tacet('identity', 'approve', keyId, ...to, ...at('admin'));
    const again = await tacet(
      ...['identity', 'request', '--key', publicKeyFile, ...to, ...at('institution')],
    );
    expect(again.stdout).toMatch(`${keyId} is approved for institution already, since 2`);
    expect(again.stdout).not.toContain('tacet identity approve');
    const listed = await tacet('identity', 'list', ...to, ...at('institution'));
    expect(listed.stdout).toMatch(new RegExp(`${keyId}  institution  2`));

    const segment = segmentOf(30, 1);
    const client = new ServiceClient({
      baseUrl: server.addresses.pool,
      token: world.tokens.institution,
    });
    await client.upload(segment, { digest: sha256(segment), kind: 'segment' });
    const key = await readPrivateKey(privateKeyFile);
    await client.json('POST', '/v1/contributions', contributionOf([segment], key));
  });
});

describe('tacet snapshot', () => {
  test('freezes what the pool holds and writes it in every format', async () => {
    const from = ['--pool', server.addresses.pool, ...at('consumer')];
    const created = await tacet('--json', 'snapshot', 'create', ...from);
    const { id } = JSON.parse(created.stdout);
    expect((await tacet('snapshot', 'list', ...from)).stdout).toMatch(`${id}  1 segments, 30 sen`);

    expect((await tacet('snapshot', 'runs', id, ...from)).stdout).toBe('no training run used it\n');
    const lines = await tacet('snapshot', 'read', id, '--seed', '5', ...from);
    expect(lines.stdout.trim().split('\n')).toHaveLength(30);
    const out = join(work, 'snapshot');
    const protobuf = ['--format', 'protobuf', '--out', out];
    const written = await tacet('--json', 'snapshot', 'read', id, ...protobuf, ...from);
    const { size: bytes } = statSync(out);
    expect(JSON.parse(written.stdout)).toEqual({ out, sentences: 30, format: 'protobuf', bytes });
    expect([...readSegment(readFileSync(out)).sentences()]).toHaveLength(30);
    const arrow = ['--format', 'arrow', '--out', `${out}.arrows`];
    expect((await tacet('snapshot', 'read', id, ...arrow, ...from)).stdout).toMatch(
      /^30 sentences written to .*snapshot\.arrows: arrow, \d+ bytes\n$/,
    );
    expect(tableFromIPC(readFileSync(`${out}.arrows`)).numRows).toBe(30);
  });

  test('leaves no part of a file where the server ends the stream, and none in the place of an older one', async () => {
    const from = ['--pool', server.addresses.pool, ...at('consumer')];
    const { id } = JSON.parse((await tacet('--json', 'snapshot', 'create', ...from)).stdout);
    let asked = 0;
    const breaking = createServer(async ({ url = '', headers }, response) => {
      const { authorization = '' } = headers;
      const found = await fetch(`${server.addresses.pool}${url}`, { headers: { authorization } });
      const bytes = Buffer.from(await found.arrayBuffer());
      const isWhole = !url.includes('/sentences') || ++asked > 1;
      const length = isWhole ? bytes.length : bytes.length + 1;
      response.writeHead(found.status, { 'Content-Length': length });
      response.write(bytes, () => (isWhole ? response.end() : response.destroy()));
    }).listen(0, '127.0.0.1');
    await once(breaking, 'listening');
    const pool = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
    const out = ['--out', join(work, 'broken-off')];
    const broken = await tacet('snapshot', 'read', id, ...out, '--pool', pool, ...at('consumer'));
    breaking.close().closeAllConnections();
    expect(broken).toMatchObject({ code: 3, stderr: expect.stringContaining('conflict: ') });
    expect(readdirSync(work).filter((name) => name.startsWith('broken-off'))).toEqual([]);
    expect((await tacet('snapshot', 'read', id, ...out, ...from)).code).toBe(0);
    const again = await tacet('snapshot', 'read', id, ...out, ...from);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('exists already')]);
  });

  test('says in one line what the server refused', async () => {
    const from = ['--pool', server.addresses.pool, ...at('institution')];
    const refused = await tacet('snapshot', 'create', ...from);
    expect(refused).toEqual({
      code: 4,
      stdout: '',
      stderr: 'tacet: forbidden: this needs the role consumer or admin\n',
    });
  });

  test('names the address where no server answers', async () => {
    const found = await tacet('snapshot', 'list', '--pool', 'http://127.0.0.1:9');
    expect(found.code).toBe(1);
    expect(found.stderr).toMatch(/^tacet: server-unreachable: .*http:\/\/127\.0\.0\.1:9.*\n$/);
  });
});

describe('a copy of the log', () => {
  const copy = () => join(work, 'log.jsonl');
  const fetchCopy = () =>
    tacet('log', 'fetch', '--server', server.addresses.pool, '--out', copy(), ...at('auditor'));
  const key = () => join(world.data, 'log-key', 'public.pem');

  test('goes on where it ended, and is verified with the key of the server', async () => {
    expect((await fetchCopy()).stdout).toMatch(/^(\d+) entries, \1 new, signed by key \w{64}\n$/);
    expect((await fetchCopy()).stdout).toMatch(/^\d+ entries, 0 new/);
    const verified = await tacet('log', 'verify', copy(), '--key', key());
    expect(verified).toEqual(expect.objectContaining({ code: 0, stderr: '' }));
  });

  test('that was altered, or of a server that changed its past, is refused', async () => {
    const text = readFileSync(copy(), 'utf8');
    const lines = text.trimEnd().split('\n');
    for (const altered of [
      lines.slice(0, -1),
      lines.toSpliced(3, 1),
      lines.toSpliced(2, 1, '{}'),
    ]) {
      writeFileSync(copy(), `${altered.join('\n')}\n`);
      const refused = await tacet('log', 'verify', copy(), '--key', key());
      expect(refused).toEqual(expect.objectContaining({ code: 4, stdout: '' }));
      expect(refused.stderr).toMatch(/^tacet: log-broken: .*\n$/);
    }
    writeFileSync(copy(), text.replace('"publicKey":"', '"publicKey":"A'));
    expect((await fetchCopy()).stderr).toMatch(/^tacet: log-broken: .*another key/);
    writeFileSync(copy(), text);
  });

  test('keeps withdrawn what was withdrawn after a backup of the running server', async () => {
    const [backup, restored] = [join(work, 'backup'), join(work, 'restored')];
    const from = ['--data', world.data, ...(await catalogFlags(world.data))];
    const made = await tacet('store', 'backup', ...from, '--out', backup);
    expect(made).toEqual(expect.objectContaining({ code: 0 }));
    const pool = ['--pool', server.addresses.pool, ...at('institution')];
    const client = new ServiceClient({
      baseUrl: server.addresses.pool,
      token: world.tokens.institution,
    });
    const [{ id }] = await client.json<{ id: string }[]>('GET', '/v1/contributions');
    expect((await tacet('withdraw', id, ...pool)).code).toBe(0);
    await fetchCopy();
    const restore = ['store', 'restore', '--backup', backup, '--data', restored];
    expect((await tacet(...restore)).stderr).toMatch(/^tacet: usage: .*--nothing-later/);
    const again = await tacet(...restore, '--log', copy());
    expect(again.stdout).toMatch(`withdrawn again ${id}\n`);
    expect((await tacet('store', 'verify', '--data', restored)).stdout).toMatch(
      /^0 blobs, 0 bytes/,
    );
  });
});
