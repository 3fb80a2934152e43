import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../pool-store/catalog/kysely.js';
import { holderOf, ServingLease } from '../../pool-store/serving-lease.js';
import { Store } from '../../pool-store/store.js';
import type { TacetError } from '../../proto/errors.js';
import { serve } from '../services/world.js';
import { raiseVersion } from './catalog-version.js';
import { changeRows } from './changed-rows.js';
import { catalogFor, describeOnPostgres, testOnSqlite } from './opened-store.js';

const leaseMs = 1200;
const busy = expect.objectContaining({
  code: 'store-busy',
  message: expect.stringMatching(/another server serves this catalog.*--blobs/),
});

let root: string;
let opened: Store[];
const at = (name: string) => join(root, name);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-serving-'));
  mkdirSync(at('one'));
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(root, { recursive: true, force: true });
});

/** With the catalog of the first. */
async function open(directory: string): Promise<Store> {
  const store = await Store.open(at(directory), { catalog: await catalogFor(at('one')) });
  opened.push(store);
  return store;
}

testOnSqlite(
  'a store whose catalog is a file needs no more than the lock of its directory',
  async () => {
    expect(await ServingLease.take(await open('one'))).toBeUndefined();
  },
);

describeOnPostgres('of servers whose blobs lie on disks of their own', () => {
  test('one serves a catalog at a time', async () => {
    const first = await ServingLease.take(await open('one'), { leaseMs });
    const other = await open('two');
    await expect(ServingLease.take(other, { leaseMs })).rejects.toEqual(busy);
    await first?.release();
    const second = await ServingLease.take(other, { leaseMs });
    expect(second).toBeDefined();
    await second?.release();
  });

  test('one that was killed is followed at once where it was, and elsewhere when its lease ends', async () => {
    const killed = await open('one');
    await killed.leases.take('serving', await holderOf(at('one')), 3_600_000);
    const again = await ServingLease.take(await open('one'), { leaseMs });
    expect(again).toBeDefined();
    await again?.release();
    await killed.leases.take('serving', await holderOf(at('one')), leaseMs / 2);
    const elsewhere = await ServingLease.take(await open('two'), { leaseMs });
    expect(elsewhere).toBeDefined();
    await elsewhere?.release();
  });

  test('a copy of the directory is another', async () => {
    const first = await ServingLease.take(await open('one'), { leaseMs });
    cpSync(at('one'), at('copy'), { recursive: true });
    await expect(ServingLease.take(await open('copy'), { leaseMs })).rejects.toEqual(busy);
    await first?.release();
  });

  test('one that was held up hears that another has taken over, and takes nothing back', async () => {
    const store = await open('one');
    let lost: (error: TacetError) => void = () => {};
    const hearing = new Promise<TacetError>((resolve) => {
      lost = resolve;
    });
    const first = await ServingLease.take(store, { leaseMs, onLost: (error) => lost(error) });
    await changeRows(
      store.catalog,
      sql`UPDATE leases SET holder = 'another', ends = ends + 3600000 WHERE name = 'serving'`,
    );
    expect(await hearing).toEqual(busy);
    await first?.release();
    const holder = await holderOf(at('one'));
    expect(await store.leases.take('serving', holder, leaseMs)).toBe(false);
  });

  test('another disk in the place of a directory is another', async () => {
    const before = await holderOf(at('one'));
    cpSync(at('one'), at('disk'), { recursive: true });
    renameSync(at('one'), at('away'));
    renameSync(at('disk'), at('one'));
    expect(await holderOf(at('one'))).not.toBe(before);
    rmSync(at('one'), { recursive: true });
    renameSync(at('away'), at('one'));
    expect(await holderOf(at('one'))).toBe(before);
  });

  test('one whose catalog a newer program has changed hears so', async () => {
    let lost: (error: TacetError) => void = () => {};
    const hearing = new Promise<TacetError>((resolve) => {
      lost = resolve;
    });
    const lease = await ServingLease.take(await open('one'), {
      leaseMs,
      onLost: (error) => lost(error),
    });
    await raiseVersion(at('one'), 1);
    expect((await hearing).code).toBe('store-version');
    await lease?.release();
    await raiseVersion(at('one'), -1);
  });

  test('a server has the lease while it runs', async () => {
    const servers = await serve({ data: at('one') });
    const store = await open('one');
    const isFree = () => store.leases.take('serving', 'another', 1);
    expect(await isFree()).toBe(false);
    await servers.close();
    expect(await isFree()).toBe(true);
  });
});
