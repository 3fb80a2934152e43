import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyStore } from '../../pool-store/verify.js';
import { ServiceClient } from '../../services/client/client.js';
import { openStore } from '../pool-store/opened-store.js';
import { TEST_BUCKET } from '../pool-store/test-place.js';
import { catalogFlags, type ServeProcess, spawnServe, tacet } from '../services/serve-process.js';
import { contributionOf, createWorld, segmentOf, sha256, type World } from '../services/world.js';

const DISK_MEGABYTES = 32;
const PATIENCE_MS = 300_000;

let directory: string;
let world: World;
let server: ServeProcess | undefined;

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
const onSmallDisk = mounted && TEST_BUCKET === undefined ? describe : describe.skip;
const besideBucket = mounted && TEST_BUCKET !== undefined ? describe : describe.skip;

beforeAll(async () => {
  if (!mounted) return;
  world = await createWorld(join(directory, 'store'));
  server = await spawnServe(world.data, { environment: { TACET_SERVE_RESERVE_BYTES: '4000000' } });
});
afterAll(async () => {
  if (mounted) {
    await server?.kill();
    execFileSync('umount', [directory]);
  }
  rmSync(directory, { recursive: true, force: true });
});

const url = () => server?.addresses.pool ?? '';
const client = () => new ServiceClient({ baseUrl: url(), token: world.tokens.institution });

async function give(seed: number): Promise<string> {
  // Seeds of one segment and the next would share sentences.
  const segment = segmentOf(20_000, 3 * seed);
  await client().upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  return (await client().json<{ id: string }>('POST', '/v1/contributions', envelope)).id;
}

/** Gives until the pool refuses; returns what was given and why no more was. */
async function giveUntilRefused(seed: number): Promise<{ given: string[]; fault: unknown }> {
  const given: string[] = [];
  for (let i = 0; i < 100; i++) {
    try {
      given.push(await give(seed + i));
    } catch (fault) {
      return { given, fault };
    }
  }
  return { given, fault: undefined };
}

async function withdraw(ids: readonly string[]): Promise<void> {
  for (const id of ids) await client().json('DELETE', `/v1/contributions/${id}`);
}

async function checkKept(given: readonly string[]): Promise<void> {
  const store = await openStore(world.data);
  expect((await store.contributions.list()).map(({ id }) => id)).toEqual(given);
  expect(await verifyStore(store)).toEqual(
    expect.objectContaining({ damaged: [], missing: [], catalog: [], logBrokenAt: null }),
  );
  await store.close();
}

/** Returns the file that fills the disk to its last byte. */
function fill(): string {
  const filler = join(directory, 'filler');
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(4096, 1));
  } catch {
    return filler;
  }
}

const fullDisk = expect.objectContaining({ code: 'store-full' });

onSmallDisk('a pool whose disk fills up', () => {
  let kept: string[];

  test(
    'refuses uploads while there is still room to withdraw',
    async () => {
      const { given, fault } = await giveUntilRefused(1);
      expect(fault).toEqual(fullDisk);
      expect(given.length).toBeGreaterThan(12);
      await withdraw(given.slice(0, 5));
      kept = [...given, await give(1000)];
      await checkKept(kept);
    },
    PATIENCE_MS,
  );

  test(
    'loses nothing when others fill it to the last byte, and goes on afterwards',
    async () => {
      const filler = fill();
      const segment = segmentOf(20_000, 9000);
      const target = { digest: sha256(segment), kind: 'segment' } as const;
      await expect(client().upload(segment, target)).rejects.toEqual(fullDisk);
      const backup = await tacet(
        ...['store', 'backup', '--data', world.data, ...(await catalogFlags(world.data))],
        ...['--out', join(directory, 'backup')],
      );
      expect(backup.code).toBe(1);
      expect(backup.stderr).toMatch(/^tacet: disk-full: /m);
      expect((await fetch(`${url()}/livez`)).status).toBe(200);
      await checkKept(kept);

      rmSync(filler);
      await withdraw(kept.slice(5, 10));
      await checkKept([...kept, await give(3000)]);
    },
    PATIENCE_MS,
  );
});

besideBucket('a pool whose blobs lie in a bucket, while its own disk is full', () => {
  test(
    'takes no uploads, and answers what needs no disk',
    async () => {
      const kept = [await give(1)];
      const consumer = new ServiceClient({ baseUrl: url(), token: world.tokens.consumer });
      const { id } = await consumer.json<{ id: string }>('POST', '/v1/snapshots', {});
      const read = async () =>
        sha256(
          await buffer(await consumer.stream(`/v1/snapshots/${id}/sentences?format=protobuf`)),
        );
      kept.push(await give(2));
      const filler = fill();
      await expect(give(3)).rejects.toEqual(fullDisk);
      const whole = await read();
      await withdraw(kept.slice(1));
      expect((await fetch(`${url()}/readyz`)).status).toBe(200);
      rmSync(filler);
      expect(await read()).toBe(whole);
      await checkKept([...kept, await give(3)]);
    },
    PATIENCE_MS,
  );
});
