import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../pool-store/members/tokens.js';
import type { ClaimedJob, TrainingJob } from '../../../pool-store/training/training-job.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { shape } from '../../proto/encoded-sentences.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const MODELS = { models: [shape.modelDigest] };
const RESULT = {
  ...{ epochs: 3, bestEpoch: 2, weights: 'ab'.repeat(32), published: null },
  scores: { 'binary token F1, validation sentences as released': 0.5 },
};
const coded = (code: string) => expect.objectContaining({ code });

let world: World;
let servers: Servers;
let snapshot: string;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  const segment = segmentOf(5, 1);
  const digest = sha256(segment);
  await as('institution').upload(segment, { digest, kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  await as('institution').json('POST', PATHS.contributions, envelope);
  snapshot = (await as('consumer').json<{ id: string }>('POST', PATHS.snapshots, {})).id;
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const as = (role: Role) =>
  new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] });

const create = (changes: object = {}) =>
  as('consumer').json<TrainingJob>('POST', PATHS.trainingJobs, {
    ...{ snapshot, name: 'pooled', version: '1.0.0', config: { seed: 3 }, ...changes },
  });
const claim = (models: object = MODELS) =>
  as('consumer').json<ClaimedJob | undefined>('POST', PATHS.trainingJobClaims, models);
const show = (id: string) =>
  as('auditor').json<TrainingJob>('GET', pathTo(PATHS.trainingJob, { id }));
const cancel = (id: string, role: Role = 'consumer') =>
  as(role).json<TrainingJob>('DELETE', pathTo(PATHS.trainingJob, { id }));

async function claimed(): Promise<ClaimedJob> {
  const found = await claim();
  if (!found) throw new Error('nothing was claimed');
  return found;
}

type Step =
  | 'trainingJobProlongation'
  | 'trainingJobRelease'
  | 'trainingJobEnd'
  | 'trainingJobFailure';
const step = ({ job, lease }: ClaimedJob, path: Step, more: object = {}) =>
  as('consumer').json<TrainingJob>('POST', pathTo(PATHS[path], job), { lease: lease.id, ...more });

interface Put {
  readonly epoch?: number;
  readonly digest?: string;
  readonly bytes?: number;
}

async function put({ job, lease }: ClaimedJob, content: Uint8Array, changes: Put = {}) {
  const { epoch = 1, digest = sha256(content), bytes = content.length } = changes;
  const path = pathTo(PATHS.trainingJobCheckpoint, { id: job.id, digest });
  const response = await fetch(
    `${servers.addresses.pool}${path}?lease=${lease.id}&epoch=${epoch}&bytes=${bytes}`,
    {
      method: 'PUT',
      headers: { Authorization: `Bearer ${world.tokens.consumer}` },
      body: Buffer.from(content),
    },
  );
  return { status: response.status, body: await response.json(), path };
}

describe('a training job over HTTP', () => {
  test('is created with its whole configuration, listed, shown and cancelled', async () => {
    const job = await create();
    expect(job).toMatchObject({
      ...{ state: 'queued', snapshot, model: shape.modelDigest, asker: 'consumer', scheme: null },
      config: { seed: 3, validationShare: 0.1, supervised: { patience: 5 } },
    });
    expect(await show(job.id)).toEqual(job);
    const list = await as('auditor').json<TrainingJob[]>('GET', PATHS.trainingJobs);
    expect(list.map(({ id }) => id)).toContain(job.id);
    expect(await cancel(job.id)).toMatchObject({ state: 'cancelled' });
    expect(await claim()).toBeUndefined();
  });

  test.each([
    ['a key that no configuration has', { config: { sede: 1 } }, 'config-invalid'],
    ['a configuration of another training', { config: { kind: 'dann' } }, 'config-invalid'],
    ['a training of no epoch', { config: { supervised: { maxEpochs: 0 } } }, 'config-invalid'],
    ['a scheme that does not come with Tacet', { scheme: 'unheard-of' }, 'file-not-found'],
    ['a scheme by its path', { scheme: '../i2b2.json' }, 'request-invalid'],
    ['a name that no manifest takes', { name: 'No Name' }, 'request-invalid'],
    ['a snapshot that is not there', { snapshot: '99'.repeat(32) }, 'not-found'],
  ])('is refused for %s', async (_, changes, code) => {
    await expect(create(changes)).rejects.toEqual(coded(code));
  });

  test("is cancelled by who asked for it or an administrator, not by another's token", async () => {
    const { id } = await create();
    const { token } = await servers.store.tokens.create({ role: 'consumer', name: 'other' });
    const other = new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token });
    await expect(other.json('DELETE', pathTo(PATHS.trainingJob, { id }))).rejects.toEqual(
      coded('forbidden'),
    );
    expect(await cancel(id, 'admin')).toMatchObject({ state: 'cancelled' });
  });

  test('is claimed once, worked on by its lease alone, and finished with a result', async () => {
    const { id } = await create();
    const mine = await claimed();
    expect(mine).toMatchObject({ job: { id, state: 'running' }, lease: { milliseconds: 120_000 } });
    expect(JSON.stringify(await show(id))).not.toContain(mine.lease.id);
    expect(await claim()).toBeUndefined();
    const stranger = { ...mine, lease: { ...mine.lease, id: id } };
    for (const path of ['trainingJobProlongation', 'trainingJobRelease'] as const)
      await expect(step(stranger, path)).rejects.toEqual(coded('lease-lost'));
    expect((await put(stranger, Buffer.from('weights'))).status).toBe(409);
    expect(await step(mine, 'trainingJobProlongation')).toMatchObject({ id });
    const done = await step(mine, 'trainingJobEnd', { result: RESULT });
    expect(done).toMatchObject({ state: 'done', result: RESULT, worker: 'consumer' });
    expect(await step(mine, 'trainingJobEnd', { result: RESULT })).toEqual(done);
  });

  test('is let go of, claimed again, and fails with a code of the table alone', async () => {
    await create();
    expect(await step(await claimed(), 'trainingJobRelease')).toMatchObject({ state: 'queued' });
    const mine = await claimed();
    const said = (code: string) => step(mine, 'trainingJobFailure', { code });
    await expect(said('Mrs Smith was here')).rejects.toEqual(coded('request-invalid'));
    expect(await said('training-diverged')).toMatchObject({ failure: 'training-diverged' });
  });

  test('is for consumers', async () => {
    for (const role of ['institution', 'provider'] as const) {
      await expect(as(role).json('GET', PATHS.trainingJobs)).rejects.toEqual(coded('forbidden'));
      const asked = as(role).json('POST', PATHS.trainingJobClaims, MODELS);
      await expect(asked).rejects.toEqual(coded('forbidden'));
    }
  });
});

describe('a checkpoint', () => {
  let mine: ClaimedJob;
  beforeAll(async () => {
    await create();
    mine = await claimed();
  });
  afterAll(() => cancel(mine.job.id));

  test('comes back byte for byte, while the job goes on', async () => {
    const content = Buffer.alloc(3_000_000, 'weights');
    const { status, body, path } = await put(mine, content, { epoch: 4 });
    expect(status).toBe(200);
    const digest = sha256(content);
    expect(body.checkpoints).toEqual([{ digest, epoch: 4, bytes: content.length }]);
    const response = await fetch(`${servers.addresses.pool}${path}`, {
      headers: { Authorization: `Bearer ${world.tokens.consumer}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    await expect(as('consumer').download(digest)).rejects.toEqual(coded('not-found'));
  });

  test.each([
    ['other bytes than its name', { digest: 'cd'.repeat(32) }, 'digest-mismatch'],
    ['fewer bytes than it said', { bytes: 100 }, 'request-invalid'],
    ['more bytes than it said', { bytes: 2 }, 'request-invalid'],
    ['more bytes than any may have', { bytes: 2 ** 31 }, 'body-too-large'],
    ['a name that is no digest', { digest: 'abc' }, 'request-invalid'],
  ])('is refused with %s, and nothing is kept', async (_, changes, code) => {
    const { body } = await put(mine, Buffer.from('refused'), { epoch: 9, ...changes });
    expect(body.code).toBe(code);
    const { checkpoints } = await show(mine.job.id);
    expect(checkpoints.filter(({ epoch }) => epoch === 9)).toEqual([]);
    expect(await servers.store.blobRecords.find(sha256(Buffer.from('refused')))).toBeUndefined();
  });

  test('is not made of a segment of an institution', async () => {
    const segment = segmentOf(5, 1);
    expect((await put(mine, segment)).body.code).toBe('conflict');
  });

  test('is gone once the job has ended', async () => {
    const { job } = mine;
    const digest = (await show(job.id)).checkpoints[0]?.digest ?? '';
    expect(await servers.store.blobs.size(digest)).toBeDefined();
    await cancel(job.id);
    expect(await servers.store.blobs.size(digest)).toBeUndefined();
    expect((await put(mine, Buffer.from('late'))).body.code).toBe('lease-lost');
  });
});
