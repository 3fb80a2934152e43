import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { RecentSamples, type Sample } from '../../../pool-store/contributions/recent-samples.js';
import type { Store } from '../../../pool-store/store.js';
import { catalogFor, describeOnPostgres, openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

const POINTS = Buffer.alloc(12_800, 7);

let directory: string;
let store: Store;
let samples: RecentSamples;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-samples-'));
  store = await openStore(directory);
  samples = new RecentSamples(store.catalog, true);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const samplesOf = (from: number, count: number): Sample[] =>
  Array.from({ length: count }, (_, i) => ({ segment: `segment ${from + i}`, points: POINTS }));
const keep = (given: readonly Sample[]) =>
  store.catalog.write((transaction) => samples.keep(transaction, given));
const forget = () => store.catalog.write((transaction) => samples.forget(transaction));

async function table(): Promise<{ rows: number; bytes: number }> {
  const { rows } = await sql<{ rows: number; bytes: number }>`
    SELECT (SELECT count(*) FROM recent_samples) AS rows,
      pg_relation_size(oid) + pg_relation_size(reltoastrelid) AS bytes
    FROM pg_class WHERE oid = 'recent_samples'::regclass`.execute(store.catalog.read);
  return rows[0] as { rows: number; bytes: number };
}

/** Holds the table as who copies the database does. */
async function whileCopied(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: (await catalogFor(directory))?.url });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE recent_samples IN ACCESS SHARE MODE');
    await work();
  } finally {
    await client.end();
  }
}

describeOnPostgres('the samples of what was accepted a moment ago', () => {
  test('are found by those who ask for their segments', async () => {
    await keep(samplesOf(0, 3));
    const found = await samples.find(['segment 2', 'another', 'segment 0']);
    expect([...found.keys()].sort()).toEqual(['segment 0', 'segment 2']);
    expect(Buffer.compare(found.get('segment 2') as Uint8Array, POINTS)).toBe(0);
    expect(await samples.find([])).toEqual(new Map());
  });

  test('are in no log of the database', async () => {
    const { rows } = await sql<{ persistence: string }>`
      SELECT relpersistence AS persistence FROM pg_class
      WHERE oid = 'recent_samples'::regclass`.execute(store.catalog.read);
    expect(rows).toEqual([{ persistence: 'u' }]);
  });

  test('give way, their file with them, before they are too many', async () => {
    for (let i = 0; i < 10; i++) {
      await keep(samplesOf(1000 * i, 100));
      expect((await table()).rows).toBeLessThanOrEqual(612);
    }
    expect((await table()).rows).toBe(400);
    // Of one transaction so many.
    await keep(samplesOf(20_000, 400));
    expect((await table()).rows).toBe(528);
  });

  test('are gone, their file with them, where anything is withdrawn', async () => {
    const { id } = await (await Giver.of(store)).give(1);
    await keep(samplesOf(0, 5));
    await store.contributions.withdraw(id);
    expect(await table()).toEqual({ rows: 0, bytes: 0 });
  });

  test('are gone where the database is being copied, and their file soon after', async () => {
    await keep(samplesOf(0, 5));
    await whileCopied(async () => {
      await forget();
      expect((await table()).rows).toBe(0);
      await keep(samplesOf(10, 1));
      expect((await table()).rows).toBe(1);
      await forget();
    });
    expect((await table()).bytes).toBeGreaterThan(4 * POINTS.length);
    const other = new RecentSamples(store.catalog, true);
    await store.catalog.write((transaction) => other.keep(transaction, samplesOf(20, 1)));
    expect([...(await samples.find(['segment 0', 'segment 10', 'segment 20'])).keys()]).toEqual([
      'segment 20',
    ]);
    expect((await table()).bytes).toBeLessThan(4 * POINTS.length);
  });

  test('are gone where nothing came for a while', async () => {
    await keep(samplesOf(0, 5));
    await samples.tidy();
    expect((await table()).rows).toBe(5);
    await store.catalog.write((transaction) =>
      transaction
        .updateTable('recent_samples')
        .set(({ eb }) => ({ added: eb('added', '-', 60_000) }))
        .execute(),
    );
    await samples.tidy();
    expect(await table()).toEqual({ rows: 0, bytes: 0 });
  });

  test('are kept by nobody who serves a pool alone', async () => {
    expect(store.isShared).toBe(false);
    await store.catalog.write((transaction) =>
      store.recentSamples.keep(transaction, samplesOf(0, 1)),
    );
    expect(await table()).toEqual({ rows: 0, bytes: 0 });
  });
});
