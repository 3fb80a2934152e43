import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../platform/sqlite/database.js';
import type { Store } from '../../../pool-store/store.js';
import { type FurnishedPool, furnishPool } from '../../services/pool/pages/furnished-pool.js';
import { openStore, testOnSqlite } from '../opened-store.js';

const ALL = { offset: 0, limit: 100 };

let pool: FurnishedPool;
let store: Store;

beforeAll(async () => {
  pool = await furnishPool();
  store = await openStore(pool.world.data);
});
afterAll(async () => {
  await store.close();
  rmSync(pool.world.data, { recursive: true, force: true });
});

describe('the index of contributions', () => {
  test('has them newest first, as the list has them, a page at a time', async () => {
    const all = await store.contributions.list();
    const { rows, total } = await store.contributionIndex.page({}, ALL);
    expect(total).toBe(all.length);
    expect(new Set(rows)).toEqual(new Set(all));
    const times = rows.map(({ received }) => received);
    expect(times).toEqual([...times].sort().reverse());
    const pages = await Promise.all(
      [0, 3, 6].map((offset) => store.contributionIndex.page({}, { offset, limit: 3 })),
    );
    expect(pages.flatMap((page) => page.rows)).toEqual(rows);
  });

  test.each([
    ['an institution', { institution: 'institution' }, 4],
    ['a state', { state: 'withdrawn' as const }, 1],
    ['both', { institution: 'north-general', state: 'withdrawn' as const }, 0],
    ['a model', { model: 'ab'.repeat(32), state: 'kept' as const }, 6],
    ['another model', { model: 'ba'.repeat(32) }, 0],
  ])('chooses by %s', async (_, filter, count) => {
    const { rows, total } = await store.contributionIndex.page(filter, ALL);
    expect([rows.length, total]).toEqual([count, count]);
  });

  test('adds up what is kept', async () => {
    const kept = (await store.contributions.list()).filter(({ withdrawn }) => withdrawn === null);
    const own = kept.filter(({ institution }) => institution === 'institution');
    const sum = (of: typeof kept, key: 'segments' | 'sentences' | 'tokens' | 'bytes') =>
      of.reduce((total, one) => total + one[key], 0);
    for (const [of, name, institutions] of [
      [kept, undefined, 3],
      [own, 'institution', 1],
    ] as const)
      expect(await store.contributionIndex.totals(name)).toEqual({
        ...{ contributions: of.length, withdrawn: 1, institutions, models: 1 },
        ...{ segments: sum(of, 'segments'), sentences: sum(of, 'sentences') },
        ...{ tokens: sum(of, 'tokens'), bytes: sum(of, 'bytes') },
      });
    expect(await store.contributionIndex.totals('nobody')).toMatchObject({ segments: 0, bytes: 0 });
  });
});

describe('the index of snapshots', () => {
  test('tells of each what the whole of it tells', async () => {
    const { rows, total } = await store.snapshotIndex.page(ALL);
    expect(total).toBe((await store.snapshots.list()).length);
    for (const summary of rows) {
      const whole = await store.snapshots.get(summary.id);
      expect(summary).toEqual({
        ...{ id: whole.id, created: whole.created, withdrawn: whole.withdrawn },
        ...{ model: whole.modelDigest, labelScheme: whole.labelSchemeDigest },
        ...{ labelCount: whole.labelCount, entities: whole.entities },
        keptTypes: whole.keptTypes,
        ...{ dimension: whole.dimension, elementType: whole.elementType },
        ...{ segments: whole.segments.length, sentences: whole.sentenceCount },
        ...{ tokens: whole.tokens, bytes: whole.bytes },
      });
      expect(await store.snapshotIndex.get(summary.id)).toEqual(summary);
    }
    await expect(store.snapshotIndex.get('none')).rejects.toThrow(/there is no snapshot/);
  });
});

describe('the holdings of a snapshot', () => {
  test('are the contributions that its segments come from', async () => {
    for (const { id, parts } of await store.snapshots.list()) {
      const { rows, total } = await store.snapshotHoldings.held(id, ALL);
      const provenance = await store.snapshots.provenanceOf(id);
      expect(total).toBe(provenance.length);
      expect(
        new Set(rows.map(({ contribution, segments }) => `${contribution} ${segments}`)),
      ).toEqual(new Set(provenance.map((one) => `${one.contribution} ${one.segments.length}`)));
      const shares = await store.snapshotHoldings.sharesOf(id);
      for (const { copies, sentenceCount } of parts) {
        const own = shares.filter((share) => share.copies === copies);
        expect(own.reduce((sum, { sentences }) => sum + sentences, 0)).toBe(sentenceCount);
      }
      const gone = provenance.filter(({ withdrawn }) => withdrawn !== null);
      const { rows: withdrawn, total: count } = await store.snapshotHoldings.withdrawnFrom(id, 10);
      expect(withdrawn.map(({ contribution }) => contribution)).toEqual(
        gone.map(({ contribution }) => contribution),
      );
      expect(count).toBe(gone.length);
    }
  });

  test('differ as snapshots do', async () => {
    const ids = (await store.snapshots.list()).map(({ id }) => id);
    for (const first of ids)
      for (const second of ids) {
        const { added } = await store.snapshots.diff(first, second);
        const { rows, total } = await store.snapshotHoldings.added(first, second, ALL);
        expect(rows.map(({ contribution }) => contribution)).toEqual(
          added.map(({ contribution }) => contribution).sort(),
        );
        expect(total).toBe(added.length);
      }
    await expect(store.snapshotHoldings.added(ids[0], 'none', ALL)).rejects.toThrow(
      /no snapshot none/,
    );
  });
});

test('the uses of a contribution are its snapshots, with their training runs', async () => {
  const { id } = pool.own.replaced;
  const { rows, total } = await store.trainingRuns.usesOf(id, 10);
  const holding = new Set<string>();
  for (const snapshot of await store.snapshots.list()) {
    const provenance = await store.snapshots.provenanceOf(snapshot.id);
    if (provenance.some((one) => one.contribution === id)) holding.add(snapshot.id);
  }
  expect(new Set(rows.map(({ snapshot }) => snapshot))).toEqual(holding);
  expect(total).toBe(holding.size);
  expect((await store.trainingRuns.usesOf(id, 1)).rows).toHaveLength(1);
});

test('owners, tokens and keys are listed a page at a time', async () => {
  const { rows, total } = await store.blobRecords.pageByOwner({ offset: 0, limit: 2 });
  expect([rows.length, total]).toEqual([2, 3]);
  expect(rows[0]).toEqual({
    owner: 'institution',
    bytes: await store.blobRecords.bytesOf('institution'),
  });
  const tokens = await store.tokens.page({ offset: 2, limit: 3 });
  expect([tokens.rows.length, tokens.total]).toEqual([3, (await store.tokens.list()).length]);
  const keys = await store.identities.page(ALL);
  expect(keys.rows[0].keyId).toBe(pool.waitingKey);
  expect([keys.total, await store.identities.waiting()]).toEqual([6, 1]);
});

testOnSqlite('a store of an earlier program gets what its lists need', async () => {
  const earlier = await furnishPool();
  const read = async () => {
    const opened = await openStore(earlier.world.data);
    const { snapshotIndex, snapshotHoldings } = opened;
    const { rows } = await snapshotIndex.page(ALL);
    const found = await Promise.all(
      rows.map(async (row) => [row, await snapshotHoldings.held(row.id, ALL)]),
    );
    await opened.close();
    return found;
  };
  const before = await read();
  const catalog = openDatabase(join(earlier.world.data, 'catalog.db'));
  catalog.exec(`
    DROP TABLE snapshot_contributions;
    DROP INDEX contributions_by_time;
    DROP INDEX contributions_by_institution;
    DROP INDEX contributions_by_id;
    DROP INDEX contributions_withdrawn;
    DROP INDEX snapshots_by_time;
    DROP INDEX models_in_order;
    DROP TABLE log_signer;
    DROP TABLE job_checkpoints;
    DROP TABLE jobs;
    DROP TABLE sessions;
    DROP TABLE lost_withdrawals;
    ALTER TABLE identities DROP COLUMN revoked;
    DROP TABLE leases;
    DROP TABLE upload_parts;
    DROP TABLE uploads;
    ALTER TABLE models DROP COLUMN kind;
    ALTER TABLE models DROP COLUMN language;
    ALTER TABLE models DROP COLUMN sequence;
    DROP INDEX audits_in_order;
    ALTER TABLE segments DROP COLUMN blocks;
    ALTER TABLE segments DROP COLUMN kept_types;
    ALTER TABLE contributions DROP COLUMN kept_types;
    ALTER TABLE snapshots DROP COLUMN kept_types;
    ALTER TABLE snapshots DROP COLUMN segments;
    ALTER TABLE snapshots DROP COLUMN sentences;
    ALTER TABLE snapshots DROP COLUMN tokens;
    ALTER TABLE snapshots DROP COLUMN bytes;
    PRAGMA user_version = 7;
  `);
  catalog.close();
  expect(await read()).toEqual(before);
  earlier.world.remove();
});
