import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import type { Store } from '../../../pool-store/store.js';
import { runPlace } from '../../../pool-store/training/training-runs.js';
import { changeRows } from '../changed-rows.js';
import { openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

let directory: string;
let store: Store;
let contribution: string;
/** Oldest first; each holds the contribution. */
const snapshots: string[] = [];

const runOf = (number: number) => ({
  run: number.toString(16).padStart(64, '0'),
  name: 'pooled',
  version: '1.0.0',
});

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-runs-'));
  store = await openStore(directory);
  const giver = await Giver.of(store);
  contribution = (await giver.give(1)).id;
  for (let seed = 2; seed < 6; seed++) {
    snapshots.push((await store.snapshots.create()).id);
    await giver.give(seed);
  }
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('runs are so many of a name on a snapshot at most, and one that is there may be said again', async () => {
  const { trainingRuns } = store;
  const [oldest] = snapshots;
  const first = await trainingRuns.register(oldest, runOf(1), 'one', 2);
  await trainingRuns.register(oldest, runOf(2), 'one', 2);
  await expect(trainingRuns.register(oldest, runOf(3), 'one', 2)).rejects.toMatchObject({
    code: 'too-many-kept',
    message: expect.stringMatching(/^2 training runs of one used snapshot .*--snapshot-runs/),
  });
  expect(await trainingRuns.register(oldest, runOf(1), 'one', 2)).toEqual(first);
  await trainingRuns.register(oldest, runOf(1), 'another', 2);
  expect(await trainingRuns.count(oldest)).toBe(3);
});

test('are listed a part at a time, also those of one moment and one configuration', async () => {
  const { trainingRuns, catalog } = store;
  const [, second] = snapshots;
  for (const trainer of ['one', 'two', 'three'])
    for (const number of [1, 2]) await trainingRuns.register(second, runOf(number), trainer);
  await changeRows(catalog, sql`UPDATE training_runs SET begun = '2030-01-01T00:00:00.000Z'`);
  const all = await trainingRuns.of(second);
  expect(all).toHaveLength(6);
  for (let at = 0; at + 1 < all.length; at++)
    expect(await trainingRuns.of(second, { after: runPlace(all[at]), limit: 1 })).toEqual([
      all[at + 1],
    ]);
  await expect(trainingRuns.of('none')).rejects.toThrow(/no snapshot none/);
});

test('of a contribution are counted over all snapshots that hold it, and those with runs come first', async () => {
  const { rows, total, runs } = await store.trainingRuns.usesOf(contribution, 3);
  expect(rows.map(({ snapshot, runCount }) => [snapshot, runCount])).toEqual([
    [snapshots[1], 6],
    [snapshots[0], 3],
    [snapshots[3], 0],
  ]);
  expect([total, runs]).toEqual([4, 9]);
});

test('no run uses a snapshot of which something was withdrawn', async () => {
  await store.contributions.withdraw(contribution);
  await expect(store.trainingRuns.register(snapshots[0], runOf(9), 'one')).rejects.toMatchObject({
    code: 'withdrawn',
  });
  expect(await store.trainingRuns.of(snapshots[0])).toHaveLength(3);
});
