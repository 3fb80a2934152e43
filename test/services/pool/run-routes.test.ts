import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TrainingRun } from '../../../pool-store/training/training-runs.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { serve } from '../world.js';
import { type FurnishedPool, furnishPool } from './pages/furnished-pool.js';

const MOST = 3;

let pool: FurnishedPool;
let servers: Servers;
let consumer: ServiceClient;
let path: string;

beforeAll(async () => {
  pool = await furnishPool();
  servers = await serve(pool.world, { limits: { ...DEFAULT_LIMITS, snapshotRuns: MOST } });
  const baseUrl = servers.addresses.pool ?? '';
  consumer = new ServiceClient({ baseUrl, token: pool.world.tokens.consumer });
  path = pathTo(PATHS.snapshotRuns, pool.snapshots.kept);
});
afterAll(async () => {
  await servers.close();
  pool.world.remove();
});

const register = (number: number) =>
  consumer.json<TrainingRun>('POST', path, {
    ...{ run: `${number}`.repeat(64), name: 'pooled', version: '1.0.0' },
  });

test('one name registers so many runs on a snapshot, which are listed in pages', async () => {
  const runs: TrainingRun[] = [];
  for (let number = 1; number <= MOST; number++) runs.push(await register(number));
  await expect(register(MOST + 1)).rejects.toMatchObject({ code: 'too-many-kept', status: 403 });
  expect(await register(1)).toEqual(runs[0]);
  for (const limit of [1, 2, MOST])
    expect(await consumer.list<TrainingRun>(`${path}?limit=${limit}`)).toEqual(runs);
});
