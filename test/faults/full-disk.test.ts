import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';
import { ServiceClient } from '../../services/http/client.js';
import { type ServeProcess, spawnServe, tacet } from '../services/serve-process.js';
import { contributionOf, createWorld, segmentOf, sha256, type World } from '../services/world.js';

const DISK_MEGABYTES = 6;

let directory: string;
let world: World;
let server: ServeProcess;

/** Mounting needs the rights of root, which most test runs do not have. */
const mounted = (() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', directory];
    execFileSync('mount', options, { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: a full disk, for mounting a small tmpfs needs root\n');
    return false;
  }
})();
const onSmallDisk = mounted ? describe : describe.skip;

beforeAll(async () => {
  if (!mounted) return;
  world = createWorld(join(directory, 'store'));
  server = await spawnServe(world.data);
});
afterAll(async () => {
  if (mounted) {
    await server.kill();
    execFileSync('umount', [directory]);
  }
  rmSync(directory, { recursive: true, force: true });
});

const client = () =>
  new ServiceClient({ baseUrl: server.addresses.pool, token: world.tokens.institution });

async function give(seed: number): Promise<string> {
  const segment = segmentOf(20_000, seed);
  await client().upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  return (await client().json<{ id: string }>('POST', '/v1/contributions', envelope)).id;
}

onSmallDisk('a pool whose disk is full', () => {
  test('says so, keeps what it has, and goes on once there is room', async () => {
    const given: string[] = [];
    let fault: unknown;
    for (let seed = 1; !fault && seed < 100; seed++) {
      await give(seed).then(
        (id) => given.push(id),
        (error: unknown) => {
          fault = error;
        },
      );
    }
    expect(fault).toEqual(expect.objectContaining({ code: 'store-full' }));
    expect(given.length).toBeGreaterThan(1);
    expect((await fetch(`${server.addresses.pool}/livez`)).status).toBe(200);

    const store = new Store(world.data);
    expect(store.contributions.list().map(({ id }) => id)).toEqual(given);
    expect(await verifyStore(store)).toEqual(
      expect.objectContaining({ damaged: [], missing: [], catalog: [], logBrokenAt: null }),
    );
    store.close();

    const backup = await tacet(
      ...['store', 'backup', '--data', world.data, '--out', join(directory, 'backup')],
    );
    expect(backup.code).not.toBe(0);
    expect(backup.stderr).toMatch(/^tacet: store-full: /m);

    rmSync(join(directory, 'backup'), { recursive: true });
    for (const id of given.slice(0, 2)) await client().json('DELETE', `/v1/contributions/${id}`);
    await expect(give(1000)).resolves.toMatch(/^[0-9a-f]{64}$/);
  });
});
