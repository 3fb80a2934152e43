import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { blobsAt } from '../../pool-store/blobs/blob-place.js';
import { digestOf } from '../../pool-store/blobs/digest-of.js';
import { sql } from '../../pool-store/catalog/kysely.js';
import { takeMoment } from '../../pool-store/copies/copy-catalog.js';
import { type CopyPlace, copyStore } from '../../pool-store/copies/copy-store.js';
import { openServedStore } from '../../pool-store/served-store.js';
import { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';
import { Giver } from './pooled-store.js';

/** Of a store that was furnished, withdrawn ones apart. */
export const BLOBS = 8;
export const MODEL = '11'.repeat(32);

/** Opens what lies there as whoever serves it does. */
export const serve = ({ directory, catalog, blobs }: CopyPlace) =>
  openServedStore(directory, { catalog, place: blobs, cacheBytes: 1 });

const opened = ({ directory, catalog, blobs }: CopyPlace) =>
  Store.open(directory, { catalog, blobs: blobsAt(blobs, directory) });

export async function look<T>(
  place: CopyPlace,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = await opened(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A store with something of most tables, a withdrawn contribution among it. Returns what may be withdrawn, too. */
export async function furnish(place: CopyPlace): Promise<{ id: string; segment: string }[]> {
  await (await serve(place)).close();
  return look(place, async (store) => {
    const north = await Giver.of(store);
    const given: { id: string; segment: string }[] = [];
    for (let seed = 0; seed <= BLOBS; seed++) given.push(await north.give(seed * 100, MODEL));
    await store.contributions.withdraw(given[0].id);
    const { id: snapshot } = await store.snapshots.create({ model: MODEL });
    await store.tokens.create({ role: 'admin', name: 'operator' });
    const job = { snapshot, name: 'pooled', version: '1.0.0', config: { rate: 0.1 } };
    await store.trainingJobs.create(job, 'trainer');
    return given.slice(1);
  });
}

/** Every row of every table of a copy's catalog, and every blob by its digest. */
export async function contentOf(place: CopyPlace): Promise<unknown> {
  return look(place, async (store) => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-moment-'));
    const { catalog } = await takeMoment(store.catalog, join(folder, 'catalog.db'));
    const blobs: string[] = [];
    for await (const digest of store.blobs.digests()) {
      expect(await digestOf(store.blobs.read(digest))).toBe(digest);
      blobs.push(digest);
    }
    const rows = await rowsOf(catalog.read);
    await catalog.close();
    rmSync(folder, { recursive: true });
    return { rows, blobs: blobs.sort() };
  });
}

/** Of a catalog in SQLite. */
export async function rowsOf(read: Store['catalog']['read']): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`.execute(read);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(read);
    found[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** What `verifyStore` finds of a store that was furnished. */
export const SOUND = {
  ...{ blobs: BLOBS, damaged: [], missing: [], notErased: [], orphans: [], unnamed: [] },
  ...{ lostEntry: null, logBrokenAt: null, catalog: [] },
};
export const checked = (place: CopyPlace) => look(place, (store) => verifyStore(store));
export const copied = (from: CopyPlace, to: CopyPlace) =>
  look(from, (store) => copyStore(store, to));
