import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import { BucketServer } from '../../pool-store/blobs/s3/bucket-server.js';
import { raiseVersion } from '../../pool-store/catalog-version.js';
import { createWorld, serve, type World } from '../world.js';

// Where no file of credentials is named, the environment's are taken.
process.env.AWS_ACCESS_KEY_ID ??= 'key';
process.env.AWS_SECRET_ACCESS_KEY ??= 'secret';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.remove());

async function readiness({ addresses }: Servers) {
  const response = await fetch(`${addresses.pool}/readyz`);
  return { status: response.status, body: await response.json() };
}

async function reachable({ addresses }: Servers): Promise<string | undefined> {
  const headers = { Authorization: `Bearer ${world.tokens.monitor}` };
  const text = await (await fetch(`${addresses.pool}/metrics`, { headers })).text();
  return /^tacet_blobs_reachable\{service="pool"\} (\d)$/m.exec(text)?.[1];
}

describe('readiness', () => {
  test('says that the disk of the blobs answers', async () => {
    const servers = await serve(world, { blobs: 'disk' });
    expect(await readiness(servers)).toEqual({ status: 200, body: { status: 'ok', blobs: 'ok' } });
    expect(await reachable(servers)).toBe('1');
    await servers.close();
  });

  test('says that it does not, and stays ready for what the catalog alone answers', async () => {
    const servers = await serve(world, { blobs: 'disk' });
    rmSync(join(world.data, 'blobs'), { recursive: true });
    const body = { status: 'ok', blobs: 'store-unavailable' };
    expect(await readiness(servers)).toEqual({ status: 200, body });
    expect(await reachable(servers)).toBe('0');
    await servers.close();
  });

  test('ends when another server brings the catalog to a version that this one does not know', async () => {
    const servers = await serve(world);
    await raiseVersion(world.data, 1);
    const { status, body } = await readiness(servers);
    expect([status, body.code]).toEqual([503, 'store-version']);
    await raiseVersion(world.data, -1);
    expect((await readiness(servers)).status).toBe(200);
    await servers.close();
  });

  test('asks a bucket once for many who ask, and sees that it keeps versions since', async () => {
    const server = new BucketServer();
    const servers = await serve(world, { blobs: await server.start() });
    server.isVersioned = true;
    const before = server.requests.length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => readiness(servers)));
    const body = { status: 'ok', blobs: 'bucket-unsuitable' };
    expect(answers).toEqual(answers.map(() => ({ status: 200, body })));
    expect(server.requests.length).toBe(before + 1);
    await servers.close();
  });

  test('does not wait for a bucket that is busy, and sees that it is back', async () => {
    const server = new BucketServer();
    const servers = await serve(world, { blobs: await server.start() });
    server.fault = () => ({ status: 503, code: 'SlowDown' });
    const body = { status: 'ok', blobs: 'store-unavailable' };
    expect(await readiness(servers)).toEqual({ status: 200, body });
    server.fault = () => undefined;
    // Each asks for 0.8 s at most, and the attempts of one that is under way are 3 s apart at most.
    let last = body;
    for (let asked = 0; asked < 20 && last.blobs !== 'ok'; asked++)
      last = (await readiness(servers)).body;
    expect(last.blobs).toBe('ok');
    await servers.close();
  });
});
