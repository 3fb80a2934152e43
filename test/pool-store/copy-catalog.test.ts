import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { copyCatalog } from '../../pool-store/copy-catalog.js';
import { openCatalog } from '../../pool-store/open-catalog.js';
import { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';
import { changeRows } from './changed-rows.js';
import { catalogFor, openStore } from './opened-store.js';
import { Giver } from './pooled-store.js';

let root: string;
let store: Store;
const at = (name: string) => join(root, name);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copy-'));
  mkdirSync(at('other'));
  store = await Store.open(at('store'));
  const north = await Giver.of(store);
  await north.give(1);
  await north.give(2);
  await store.snapshots.create();
  await store.tokens.create({ role: 'admin', name: 'operator' });
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const openTarget = async () => openCatalog(at('other/copy.db'), await catalogFor(at('other')));

test('a copy of a catalog has its records, its log and its snapshots, and goes on from there', async () => {
  const [snapshot] = await store.snapshots.list();
  const target = await openTarget();
  expect(await copyCatalog(store.catalog, target, root)).toEqual(await store.log.head());
  await target.close();
  const before = [await store.contributions.list(), await store.tokens.list()];
  await store.close();
  rmSync(at('store/catalog.db'));
  const place = await catalogFor(at('other'));
  if (!place) {
    // In SQLite a copy is put where the catalog was.
    renameSync(at('other/copy.db'), at('store/catalog.db'));
  }
  store = await Store.open(at('store'), { serve: true, catalog: place });
  expect([await store.contributions.list(), await store.tokens.list()]).toEqual(before);
  expect(await store.snapshots.get(snapshot.id)).toEqual(snapshot);
  await (await Giver.of(store, 'south')).give(3);
  expect(await verifyStore(store)).toEqual(
    expect.objectContaining({ blobs: 3, damaged: [], missing: [], logBrokenAt: null }),
  );
});

test('nothing is copied over records, nor from a log that is broken', async () => {
  const target = await openTarget();
  await copyCatalog(store.catalog, target, root);
  await expect(copyCatalog(store.catalog, target, root)).rejects.toThrow(/name an empty one/);
  await target.close();
  await changeRows(store.catalog, sql`UPDATE log SET subject = 'x' WHERE sequence = 2`);
  const other = await openStore(at('another'));
  await expect(copyCatalog(store.catalog, other.catalog, root)).rejects.toThrow(/entry 2/);
  expect((await other.log.head()).sequence).toBe(0);
  await other.close();
});
