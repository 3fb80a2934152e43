import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClaimedJob } from '../../../pool-store/training/training-job.js';
import { PATHS } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { JobLease } from '../../../services/client/job-lease.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { shape } from '../../proto/encoded-sentences.js';
import { startHostileServer } from '../hostile-server.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const LEASE_MS = 2000;
const MODELS = [shape.modelDigest];
const RESULT = {
  ...{ epochs: 1, bestEpoch: 1, weights: 'ab'.repeat(32), scores: {}, published: null },
};
const coded = (code: string) => expect.objectContaining({ code });

let world: World;
let servers: Servers;
let snapshot: string;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, jobSeconds: LEASE_MS / 1000 } });
  const segment = segmentOf(5, 1);
  const institution = client(world.tokens.institution);
  await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  await institution.json('POST', PATHS.contributions, envelope);
  snapshot = (await consumer().json<{ id: string }>('POST', PATHS.snapshots, {})).id;
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const client = (token: string, baseUrl = servers.addresses.pool ?? '') =>
  new ServiceClient({ baseUrl, token });
const consumer = (baseUrl?: string) => client(world.tokens.consumer, baseUrl);
const leases: JobLease[] = [];
afterEach(async () => {
  for (const lease of leases.splice(0)) lease.drop();
  for (const { id, state } of await servers.store.trainingJobs.list())
    if (state === 'queued' || state === 'running')
      await servers.store.trainingJobs.cancel(id, 'test');
});

async function create(): Promise<void> {
  const asked = { snapshot, name: 'pooled', version: '1.0.0', config: {} };
  await consumer().json('POST', PATHS.trainingJobs, asked);
}

async function claim(pool = consumer()): Promise<JobLease> {
  const lease = await JobLease.claim(pool, MODELS, {});
  if (!lease) throw new Error('nothing was claimed');
  leases.push(lease);
  return lease;
}

describe('a lease of a training job', () => {
  test("lasts as long as its holder lives, and then is another's", async () => {
    await create();
    const mine = await claim();
    await delay(LEASE_MS * 1.5);
    expect(await JobLease.claim(consumer(), MODELS, {})).toBeUndefined();
    expect(mine.lost.aborted).toBe(false);
    mine.drop();
    await delay(LEASE_MS * 1.2);
    const other = await claim();
    expect(other.job.id).toBe(mine.job.id);
    await expect(mine.finish(RESULT)).rejects.toEqual(coded('lease-lost'));
    expect(mine.lost.reason).toEqual(coded('lease-lost'));
    expect(await other.finish(RESULT)).toMatchObject({ state: 'done' });
  });

  test('is lost where the pool is silent for as long as it lasts', async () => {
    await create();
    const between = await startHostileServer(servers.addresses.pool ?? '', (path) => path);
    const mine = await claim(consumer(between.url));
    await between.close();
    if (!mine.lost.aborted) await once(mine.lost, 'abort');
    expect(mine.lost.reason).toEqual(coded('server-unreachable'));
  });

  test('is not taken of a pool that names a job by a path', async () => {
    await create();
    const between = await startHostileServer(
      servers.addresses.pool ?? '',
      (path) => path,
      (_, answer) => {
        const { job, lease } = JSON.parse(answer.toString()) as ClaimedJob;
        return JSON.stringify({ job: { ...job, id: '../../elsewhere' }, lease });
      },
    );
    await expect(claim(consumer(between.url))).rejects.toEqual(coded('server-failed'));
    await between.close();
  });

  test('gives back the checkpoint that was kept, and no other bytes for it', async () => {
    await create();
    let hostile: string | undefined;
    const between = await startHostileServer(
      servers.addresses.pool ?? '',
      (path) => path,
      (_, answer) => (hostile === undefined ? answer : Buffer.from(hostile)),
    );
    const mine = await claim(consumer(between.url));
    const kept = join(world.data, 'checkpoint');
    await writeFile(kept, 'weights');
    const checkpoint = { digest: sha256(Buffer.from('weights')), epoch: 1, bytes: 7 };
    await mine.saveCheckpoint(kept, checkpoint);
    await rm(kept);
    await mine.loadCheckpoint(checkpoint, kept);
    const other = join(world.data, 'other');
    hostile = 'weighed';
    await expect(mine.loadCheckpoint(checkpoint, other)).rejects.toEqual(coded('digest-mismatch'));
    hostile = 'weights and more';
    await expect(mine.loadCheckpoint(checkpoint, other)).rejects.toEqual(coded('server-failed'));
    hostile = undefined;
    await mine.release();
    await between.close();
  });
});
