import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeDirectory } from '../../../platform/files/durable-folder.js';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { openCatalog } from '../../../pool-store/catalog/open-catalog.js';
import {
  type CatalogMoment,
  putMoment,
  takeMoment,
} from '../../../pool-store/copies/copy-catalog.js';
import { Store } from '../../../pool-store/store.js';
import { verifyStore } from '../../../pool-store/verify.js';
import { changeRows } from '../changed-rows.js';
import { catalogFor, openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

let root: string;
let store: Store;
let moment: CatalogMoment;
const at = (name: string) => join(root, name);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copy-'));
  makeDirectory(at('other'));
  store = await Store.open(at('store'));
  const north = await Giver.of(store);
  await north.give(1);
  await north.give(2);
  await store.snapshots.create();
  await store.tokens.create({ role: 'admin', name: 'operator' });
  moment = await takeMoment(store.catalog, at('moment.db'));
});
afterEach(async () => {
  await moment.catalog.close();
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const openTarget = async () => openCatalog(at('other/copy.db'), await catalogFor(at('other')));

test('a copy of a catalog has its records, its log and its snapshots, and goes on from there', async () => {
  const [snapshot] = await store.snapshots.list();
  expect(moment.head).toEqual(await store.log.head());
  const target = await openTarget();
  await putMoment(moment, target);
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

test('a copy is made over an earlier one of the same catalog, and over nothing else', async () => {
  const target = await openTarget();
  await putMoment(moment, target);
  await (await Giver.of(store, 'south')).give(3);
  const later = await takeMoment(store.catalog, at('later.db'));
  await putMoment(later, target);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM segments`.execute(
    target.read,
  );
  expect(rows[0]?.count).toBe(3);
  await expect(putMoment(moment, target)).rejects.toThrow(/name an empty one/);
  await later.catalog.close();
  await target.close();
  const other = await openStore(at('another'));
  await other.tokens.create({ role: 'admin', name: 'operator' });
  await expect(putMoment(moment, other.catalog)).rejects.toThrow(/name an empty one/);
  await other.close();
});

test('nothing is copied from a log that is broken', async () => {
  await changeRows(store.catalog, sql`UPDATE log SET subject = 'x' WHERE sequence = 2`);
  await expect(takeMoment(store.catalog, at('broken.db'))).rejects.toThrow(/entry 2/);
});
