import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Store } from '../../../pool-store/store.js';
import { BlobReach } from '../../../services/http/blob-reach.js';
import { explainInFull } from '../../../services/http/explained-error.js';
import { watchStore } from '../../../services/http/store-metrics.js';
import { StoreTotals } from '../../../services/http/store-totals.js';
import { openStore } from '../../pool-store/opened-store.js';
import { Giver } from '../../pool-store/pooled-store.js';

const TOTALS = /^tacet_(store_bytes|contributions|training_jobs|uploads_open)\b/gm;

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-totals-'));
  store = await openStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function watched(totals: StoreTotals): Registry {
  const registry = new Registry();
  const reach = new BlobReach(store.blobs, explainInFull(pino({ level: 'silent' })));
  watchStore({ store, reach, totals }, registry);
  return registry;
}

describe('totals of a store', () => {
  test('are read once for all who ask within half a minute, and anew after it', async () => {
    let now = 0;
    const totals = new StoreTotals(store, undefined, () => now);
    const read = jest.spyOn(store.contributions, 'count');
    const [registry, pool] = [watched(totals), watched(totals)];
    await Promise.all([registry.metrics(), pool.metrics()]);
    await (await Giver.of(store)).give(1);
    now = 29_999;
    expect(await pool.metrics()).toMatch(/^tacet_contributions\{state="kept"\} 0$/m);
    expect(read).toHaveBeenCalledTimes(1);
    now = 30_000;
    expect(await pool.metrics()).toMatch(/^tacet_contributions\{state="kept"\} 1$/m);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('are left out where another server leads, and only they', async () => {
    let isLeading = true;
    const registry = watched(new StoreTotals(store, () => isLeading));
    await (await Giver.of(store)).give(1);
    const led = new Set((await registry.metrics()).match(TOTALS));
    expect([...led].sort()).toEqual([
      ...['tacet_contributions', 'tacet_store_bytes', 'tacet_uploads_open'],
    ]);
    isLeading = false;
    const followed = await registry.metrics();
    expect(followed.match(TOTALS)).toBeNull();
    expect(followed).toMatch(/^tacet_log_sequence \d+$/m);
    expect(followed).toMatch(/^tacet_blobs_reachable 1$/m);
  });

  test('are read anew after they could not be', async () => {
    const totals = new StoreTotals(store);
    const read = jest.spyOn(store.contributions, 'count');
    read.mockRejectedValueOnce(new Error('away'));
    await expect(totals.current()).rejects.toThrow('away');
    expect((await totals.current())?.contributions).toEqual({ kept: 0, withdrawn: 0 });
  });
});
