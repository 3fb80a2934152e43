import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileContent } from '../../../pool-store/blobs/file-content.js';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { restoreStore } from '../../../pool-store/copies/restore.js';
import { Store } from '../../../pool-store/store.js';
import type {
  ClaimedJob,
  JobResult,
  TrainingJob,
} from '../../../pool-store/training/training-job.js';
import { acceptUpload } from '../../../pool-store/uploads/accept-upload.js';
import { sha256 } from '../../services/world.js';
import { openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';
import { placeBlobs } from '../test-place.js';

const MODEL = '11'.repeat(32);
const LONG_MS = 60_000;
const NOW_MS = 1;
const RESULT: JobResult = {
  ...{ epochs: 3, bestEpoch: 2, weights: 'ab'.repeat(32), published: null },
  scores: { 'token F1': 0.5 },
};

let directory: string;
const beside = (name: string) => `${directory}-${name}`;
let store: Store;
let snapshot: string;
let contribution: string;
let giver: Giver;

beforeAll(async () => {
  directory = placeBlobs(mkdtempSync(join(tmpdir(), 'tacet-jobs-')));
  store = await openStore(directory);
  giver = await Giver.of(store);
  contribution = (await giver.give(1, MODEL)).id;
  snapshot = (await store.snapshots.create({ model: MODEL })).id;
});
afterAll(async () => {
  await store.close();
  for (const each of [directory, ...['backup', 'before', 'restored'].map(beside)])
    rmSync(each, { recursive: true, force: true });
});

const fail = () => {
  throw new Error('it was said before');
};
const coded = (code: string) => expect.objectContaining({ code });
let asked = 0;
const create = (): Promise<TrainingJob> =>
  store.trainingJobs.create(
    { snapshot, name: 'pooled', version: `1.0.${++asked}`, config: {} },
    'trainer',
  );
const claim = (milliseconds: number, models = [MODEL], worker = 'w1') =>
  store.trainingJobs.claim({ worker, models, milliseconds });

async function claimed(milliseconds = LONG_MS, worker = 'w1'): Promise<ClaimedJob> {
  const found = await claim(milliseconds, [MODEL], worker);
  if (!found?.lease) throw new Error('nothing was claimed');
  return { job: found.job, lease: found.lease };
}

const held = ({ job, lease }: ClaimedJob) => ({ id: job.id, lease: lease.id });

async function putCheckpoint(of: ClaimedJob, epoch: number, content = `${of.job.id}/${epoch}`) {
  const bytes = Buffer.from(content);
  const digest = sha256(bytes);
  const path = join(store.uploads, digest);
  writeFileSync(path, bytes);
  await acceptUpload(store, fileContent(path, bytes.length), {
    digest,
    kind: 'checkpoint',
    holder: 'trainer',
  });
  const { job, dropped } = await store.trainingJobs.addCheckpoint(held(of), { digest, epoch });
  await store.dropUnused(dropped);
  return { job, dropped, digest };
}

const actionsOf = async (id: string) =>
  (await store.log.entries()).filter((one) => one.subject === id).map((one) => one.action);

/** Ends whatever a test left. */
async function clear(): Promise<void> {
  for (const { id, state } of await store.trainingJobs.list())
    if (state === 'queued' || state === 'running') await store.trainingJobs.cancel(id, 'trainer');
}

describe('a training job', () => {
  test('that is asked for again while it waits or goes on is the same one, and another by any word', async () => {
    const { trainingJobs } = store;
    const job = { snapshot, name: 'pooled', version: '1.0.0', config: { seed: 1 } };
    const ask = async (changes: object = {}, asker = 'trainer') =>
      (await trainingJobs.create({ ...job, ...changes }, asker)).id;
    const id = await ask();
    expect(await trainingJobs.create(job, 'trainer', 1, fail)).toMatchObject({ id });
    const others = await Promise.all([
      ...[{ name: 'ward' }, { version: '1.0.1' }, { config: { seed: 2 } }].map((each) => ask(each)),
      ...[ask({ scheme: 'i2b2' }), ask({}, 'another')],
    ]);
    expect(new Set([id, ...others]).size).toBe(6);
    expect(await ask({ scheme: 'i2b2' })).toBe(others[3]);
    const mine = await claimed();
    expect(mine.job.id).toBe(id);
    expect(await ask()).toBe(id);
    await trainingJobs.cancel(id, 'trainer');
    expect(await ask()).not.toBe(id);
    await clear();
  });

  test('goes from queued to running to done, and the log tells it', async () => {
    const { id, state, model, asker } = await create();
    expect({ state, model, asker }).toEqual({ state: 'queued', model: MODEL, asker: 'trainer' });
    const claim = await claimed();
    expect(claim.job).toMatchObject({ id, state: 'running', worker: 'w1', failure: null });
    const { job } = await store.trainingJobs.finish(held(claim), RESULT);
    expect(job).toMatchObject({ state: 'done', result: RESULT, leaseEnds: null });
    expect(await store.trainingJobs.finish(held(claim), RESULT)).toEqual({ job, dropped: [] });
    expect(await actionsOf(id)).toEqual(['job-created', 'job-claimed', 'job-done']);
    await expect(store.trainingJobs.cancel(id, 'trainer')).rejects.toEqual(coded('conflict'));
  });

  test("is one worker's at a time, however many claim it", async () => {
    await create();
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, i) => claim(LONG_MS, [MODEL], `w${i}`)),
    );
    expect(claims.filter((one) => one?.lease)).toHaveLength(1);
    await clear();
  });

  test('is claimed by a worker that has its model, the oldest first', async () => {
    const first = await create();
    await delay(5);
    const second = await create();
    expect(await claim(LONG_MS, ['22'.repeat(32)])).toBeUndefined();
    expect(await claim(LONG_MS, [])).toBeUndefined();
    expect([(await claimed()).job.id, (await claimed()).job.id]).toEqual([first.id, second.id]);
    await clear();
  });

  test("whose lease ran out is another's, and who had it is told at every step", async () => {
    await create();
    const lost = await claimed(NOW_MS);
    await delay(20);
    const taken = await claimed(LONG_MS, 'w2');
    expect(taken.job).toMatchObject({ id: lost.job.id, worker: 'w2' });
    for (const step of [
      () => store.trainingJobs.prolong(held(lost), LONG_MS),
      () => store.trainingJobs.release(held(lost)),
      () => store.trainingJobs.finish(held(lost), RESULT),
      () => store.trainingJobs.fail(held(lost), 'internal'),
      () => putCheckpoint(lost, 1),
      () => store.trainingJobs.requireHeld(held(lost)),
    ])
      await expect(step()).rejects.toEqual(coded('lease-lost'));
    expect(await store.trainingJobs.get(taken.job.id)).toEqual(taken.job);
    await clear();
  });

  test('whose worker speaks stays its', async () => {
    await create();
    const mine = await claimed(NOW_MS);
    await delay(20);
    await store.trainingJobs.prolong(held(mine), LONG_MS);
    expect(await claim(LONG_MS)).toBeUndefined();
    await clear();
  });

  test("that is let go of or cancelled is nobody's", async () => {
    const { id } = await create();
    const first = await claimed();
    expect(await store.trainingJobs.release(held(first))).toMatchObject({ state: 'queued' });
    const second = await claimed();
    expect(second.job.id).toBe(id);
    const { job } = await store.trainingJobs.cancel(id, 'operator');
    expect(job.state).toBe('cancelled');
    expect((await store.trainingJobs.cancel(id, 'operator')).job).toEqual(job);
    await expect(store.trainingJobs.prolong(held(second), LONG_MS)).rejects.toEqual(
      coded('lease-lost'),
    );
    expect(await claim(LONG_MS)).toBeUndefined();
    expect(await actionsOf(id)).toEqual([
      ...['job-created', 'job-claimed', 'job-released', 'job-claimed', 'job-cancelled'],
    ]);
  });

  test('fails with a code, and not again for another worker', async () => {
    await create();
    const mine = await claimed();
    const { job } = await store.trainingJobs.fail(held(mine), 'training-diverged');
    expect(job).toMatchObject({ state: 'failed', failure: 'training-diverged' });
    expect(await claim(LONG_MS)).toBeUndefined();
  });

  test('that ends one worker after another without an epoch is given up', async () => {
    const { id } = await create();
    for (let lost = 0; lost < 5; lost++) {
      await claimed(NOW_MS);
      await delay(20);
    }
    expect((await claim(LONG_MS))?.lease).toBeUndefined();
    expect(await store.trainingJobs.get(id)).toMatchObject({
      ...{ state: 'failed', failure: 'job-abandoned' },
    });
  });

  test('keeps its newest two checkpoints, and none once it has ended', async () => {
    await create();
    const mine = await claimed();
    const digests: string[] = [];
    for (const epoch of [1, 2, 3]) digests.push((await putCheckpoint(mine, epoch)).digest);
    const { checkpoints } = await store.trainingJobs.get(mine.job.id);
    expect(checkpoints.map(({ epoch }) => epoch)).toEqual([3, 2]);
    const sizes = () => Promise.all(digests.map((digest) => store.blobs.size(digest)));
    expect((await sizes()).map((size) => size !== undefined)).toEqual([false, true, true]);
    const collected = await store.collectUnused(new Date(Date.now() + LONG_MS));
    expect(collected.filter((digest) => digests.includes(digest))).toEqual([]);
    const again = await putCheckpoint(mine, 3, 'of a worker that went on from epoch 2');
    expect(again.job.checkpoints.map(({ digest }) => digest)).toEqual([again.digest, digests[1]]);
    const { dropped } = await store.trainingJobs.finish(held(mine), RESULT);
    await store.dropUnused(dropped);
    expect(await sizes()).toEqual([undefined, undefined, undefined]);
  });

  test('is in a backup without its checkpoints, whose blobs are not', async () => {
    const { id } = await create();
    const { digest } = await putCheckpoint(await claimed(), 1);
    const backup = beside('backup');
    const { damaged } = await backupStore(store, backup);
    expect(damaged).toEqual([]);
    const copy = await Store.open(backup);
    expect(await copy.trainingJobs.get(id)).toMatchObject({ state: 'running', checkpoints: [] });
    expect(await copy.blobs.size(digest)).toBeUndefined();
    expect(await copy.blobRecords.find(digest)).toBeUndefined();
    await copy.close();
    await clear();
  });

  test('that ended after a backup is cancelled in what is restored from it', async () => {
    const [ended, open] = [await create(), await create()];
    const backup = beside('before');
    await backupStore(store, backup);
    await store.trainingJobs.cancel(ended.id, 'trainer');
    const restored = beside('restored');
    await restoreStore(backup, restored, { later: await store.log.entries() });
    const copy = await Store.open(restored);
    expect(await copy.trainingJobs.get(ended.id)).toMatchObject({ state: 'cancelled' });
    expect(await copy.trainingJobs.get(open.id)).toMatchObject({ state: 'queued' });
    await copy.close();
    await clear();
  });

  test('is of no snapshot that was withdrawn or never was', async () => {
    await store.contributions.withdraw(contribution);
    await expect(create()).rejects.toEqual(coded('withdrawn'));
    const unknown = { snapshot: '99'.repeat(32), name: 'a', version: '1.0.0', config: {} };
    await expect(store.trainingJobs.create(unknown, 'trainer')).rejects.toEqual(coded('not-found'));
  });
});
