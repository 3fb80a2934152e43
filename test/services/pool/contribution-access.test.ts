import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import { loggedIn } from '../http/pages/browser-like.js';
import { serve } from '../world.js';
import { type FurnishedPool, furnishPool } from './pages/furnished-pool.js';

/** More than are listed of one contribution. */
const NEWER = 101;

let pool: FurnishedPool;
let servers: Servers;
let url: string;

beforeAll(async () => {
  pool = await furnishPool();
  servers = await serve(pool.world);
  url = servers.addresses.pool ?? '';
  const ids = Array.from({ length: NEWER }, (_, i) => `${i}`.padStart(64, '0'));
  await servers.store.catalog.write(async (transaction) => {
    await transaction
      .insertInto('snapshots')
      .values(ids.map((id) => ({ id, created: '2099-01-01T00:00:00.000Z' })))
      .execute();
    await transaction
      .insertInto('snapshot_contributions')
      .values(ids.map((snapshot) => ({ snapshot, contribution: pool.own.replaced.id })))
      .execute();
  });
});
afterAll(async () => {
  await servers.close();
  pool.world.remove();
});

test('whoever withdraws is told of each run, however many newer snapshots hold what they gave', async () => {
  const browser = await loggedIn(url, pool.world.tokens.institution);
  const markup = await (
    await browser.open(`/contributions/${pool.own.replaced.id}/withdraw`)
  ).text();
  expect(markup).toContain('2 training runs used it');
  expect(markup).toContain(`${NEWER + 2} snapshots that hold it`);
});

test('the details name the snapshots with runs first, and count all', async () => {
  const answer = await fetch(`${url}/v1/contributions/${pool.own.replaced.id}`, {
    headers: { Authorization: `Bearer ${pool.world.tokens.institution}` },
  });
  const { uses, useCounts } = await answer.json();
  expect(uses).toHaveLength(100);
  expect(uses.slice(0, 3).map(({ runCount }: { runCount: number }) => runCount)).toEqual([1, 1, 0]);
  expect(useCounts).toEqual({ snapshots: NEWER + 2, runs: 2 });
});
