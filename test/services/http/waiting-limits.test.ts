import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Identity } from '../../../pool-store/members/identities.js';
import type { TrainingJob } from '../../../pool-store/training/training-job.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { shape } from '../../proto/encoded-sentences.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const MOST = 2;

let world: World;
let servers: Servers;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, {
    limits: { ...DEFAULT_LIMITS, waitingKeys: MOST, waitingJobs: MOST },
  });
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const as = (token: string) => new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token });
const newToken = async (role: 'institution' | 'consumer', name: string) =>
  as((await servers.store.tokens.create({ role, name })).token);
const newKey = () =>
  Buffer.from(rawPublicKey(generateKeyPairSync('ed25519').publicKey)).toString('base64');
const ask = (client: ServiceClient, publicKey = newKey(), name?: string) =>
  client.json<Identity>('POST', PATHS.identities, { publicKey, ...(name && { name }) });
const refused = (message: string) =>
  expect.objectContaining({
    code: 'too-many-waiting',
    status: 429,
    message: expect.stringContaining(message),
  });

describe('keys that wait', () => {
  test('are so many of a name at most, whichever of its tokens asks, until an administrator judged one', async () => {
    const [one, another] = [
      await newToken('institution', 'north'),
      await newToken('institution', 'north'),
    ];
    const key = newKey();
    const first = await ask(one, key);
    const second = await ask(another);
    for (const client of [one, another])
      await expect(ask(client)).rejects.toEqual(refused('2 keys of north wait for approval'));
    expect(await ask(another, key)).toEqual(first);
    expect(await ask(await newToken('institution', 'south'))).toMatchObject({ name: 'south' });

    const { identities } = servers.store;
    await identities.approve(first.keyId);
    await ask(one);
    await expect(ask(one)).rejects.toEqual(refused('no more may'));
    await identities.end(second.keyId);
    await ask(one);
  });

  test('do not keep an administrator from approving one at once', async () => {
    const west = await newToken('institution', 'west');
    for (let i = 0; i < MOST; i++) await ask(west);
    const { approved } = await ask(as(world.tokens.admin), newKey(), 'west');
    expect(approved).not.toBeNull();
  });
});

test('training jobs that wait are so many of a name at most, until one is taken or cancelled', async () => {
  const segment = segmentOf(5, 1);
  const institution = as(world.tokens.institution);
  await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  await institution.json('POST', PATHS.contributions, envelope);
  const consumer = as(world.tokens.consumer);
  const { id: snapshot } = await consumer.json<{ id: string }>('POST', PATHS.snapshots, {});
  let asked = 0;
  const create = (client = consumer) =>
    client.json<TrainingJob>('POST', PATHS.trainingJobs, {
      ...{ snapshot, name: 'pooled', version: `1.0.${++asked}`, config: {} },
    });

  const { id } = await create();
  await create();
  await expect(create()).rejects.toEqual(refused('2 training jobs of consumer wait for a worker'));
  await create(await newToken('consumer', 'other'));
  await consumer.json('DELETE', pathTo(PATHS.trainingJob, { id }));
  await create();
  await expect(create()).rejects.toEqual(refused('cancel some'));
  const models = { models: [shape.modelDigest] };
  await consumer.json('POST', PATHS.trainingJobClaims, models);
  await create();
});
