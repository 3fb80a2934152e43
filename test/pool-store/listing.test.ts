import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../platform/sqlite/database.js';
import { Store } from '../../pool-store/store.js';
import { type FurnishedPool, furnishPool } from '../services/pool/pages/furnished-pool.js';

const ALL = { offset: 0, limit: 100 };

let pool: FurnishedPool;
let store: Store;

beforeAll(async () => {
  pool = await furnishPool();
  store = new Store(pool.world.data);
});
afterAll(() => {
  store.close();
  rmSync(pool.world.data, { recursive: true, force: true });
});

describe('the index of contributions', () => {
  test('has them newest first, as the list has them, a page at a time', () => {
    const all = store.contributions.list();
    const { rows, total } = store.contributionIndex.page({}, ALL);
    expect(total).toBe(all.length);
    expect(new Set(rows)).toEqual(new Set(all));
    const times = rows.map(({ received }) => received);
    expect(times).toEqual([...times].sort().reverse());
    const paged = [0, 3, 6].flatMap((offset) => [
      ...store.contributionIndex.page({}, { offset, limit: 3 }).rows,
    ]);
    expect(paged).toEqual(rows);
  });

  test.each([
    ['an institution', { institution: 'institution' }, 4],
    ['a state', { state: 'withdrawn' as const }, 1],
    ['both', { institution: 'north-general', state: 'withdrawn' as const }, 0],
    ['a model', { model: 'ab'.repeat(32), state: 'kept' as const }, 6],
    ['another model', { model: 'ba'.repeat(32) }, 0],
  ])('chooses by %s', (_, filter, count) => {
    const { rows, total } = store.contributionIndex.page(filter, ALL);
    expect([rows.length, total]).toEqual([count, count]);
  });

  test('adds up what is kept', () => {
    const kept = store.contributions.list().filter(({ withdrawn }) => withdrawn === null);
    const own = kept.filter(({ institution }) => institution === 'institution');
    const sum = (of: typeof kept, key: 'segments' | 'sentences' | 'tokens' | 'bytes') =>
      of.reduce((total, one) => total + one[key], 0);
    for (const [of, name, institutions] of [
      [kept, undefined, 3],
      [own, 'institution', 1],
    ] as const)
      expect(store.contributionIndex.totals(name)).toEqual({
        ...{ contributions: of.length, withdrawn: 1, institutions, models: 1 },
        ...{ segments: sum(of, 'segments'), sentences: sum(of, 'sentences') },
        ...{ tokens: sum(of, 'tokens'), bytes: sum(of, 'bytes') },
      });
    expect(store.contributionIndex.totals('nobody')).toMatchObject({ segments: 0, bytes: 0 });
  });
});

describe('the index of snapshots', () => {
  test('tells of each what the whole of it tells', () => {
    const { rows, total } = store.snapshotIndex.page(ALL);
    expect(total).toBe(store.snapshots.list().length);
    for (const summary of rows) {
      const whole = store.snapshots.get(summary.id);
      expect(summary).toEqual({
        ...{ id: whole.id, created: whole.created, withdrawn: whole.withdrawn },
        ...{ model: whole.modelDigest, labelScheme: whole.labelSchemeDigest },
        ...{ labelCount: whole.labelCount, entities: whole.entities },
        ...{ dimension: whole.dimension, elementType: whole.elementType },
        ...{ segments: whole.segments.length, sentences: whole.sentenceCount },
        ...{ tokens: whole.tokens, bytes: whole.bytes },
      });
      expect(store.snapshotIndex.get(summary.id)).toEqual(summary);
    }
    expect(() => store.snapshotIndex.get('none')).toThrow(/there is no snapshot/);
  });
});

describe('the holdings of a snapshot', () => {
  test('are the contributions that its segments come from', () => {
    for (const { id, parts } of store.snapshots.list()) {
      const { rows, total } = store.snapshotHoldings.held(id, ALL);
      const provenance = store.snapshots.provenanceOf(id);
      expect(total).toBe(provenance.length);
      expect(
        new Set(rows.map(({ contribution, segments }) => `${contribution} ${segments}`)),
      ).toEqual(new Set(provenance.map((one) => `${one.contribution} ${one.segments.length}`)));
      const shares = store.snapshotHoldings.sharesOf(id);
      for (const { copies, sentenceCount } of parts) {
        const own = shares.filter((share) => share.copies === copies);
        expect(own.reduce((sum, { sentences }) => sum + sentences, 0)).toBe(sentenceCount);
      }
      const gone = provenance.filter(({ withdrawn }) => withdrawn !== null);
      const { rows: withdrawn, total: count } = store.snapshotHoldings.withdrawnFrom(id, 10);
      expect(withdrawn.map(({ contribution }) => contribution)).toEqual(
        gone.map(({ contribution }) => contribution),
      );
      expect(count).toBe(gone.length);
    }
  });

  test('differ as snapshots do', () => {
    const ids = store.snapshots.list().map(({ id }) => id);
    for (const first of ids)
      for (const second of ids) {
        const { added } = store.snapshots.diff(first, second);
        const { rows, total } = store.snapshotHoldings.added(first, second, ALL);
        expect(rows.map(({ contribution }) => contribution)).toEqual(
          added.map(({ contribution }) => contribution).sort(),
        );
        expect(total).toBe(added.length);
      }
    expect(() => store.snapshotHoldings.added(ids[0], 'none', ALL)).toThrow(/no snapshot none/);
  });
});

test('the uses of a contribution are its snapshots, with their training runs', () => {
  const { id } = pool.own.replaced;
  const { rows, total } = store.trainingRuns.usesOf(id, 10);
  const holding = store.snapshots
    .list()
    .filter((snapshot) =>
      store.snapshots.provenanceOf(snapshot.id).some((one) => one.contribution === id),
    );
  expect(new Set(rows.map(({ snapshot }) => snapshot))).toEqual(
    new Set(holding.map((snapshot) => snapshot.id)),
  );
  expect(total).toBe(holding.length);
  expect(store.trainingRuns.usesOf(id, 1).rows).toHaveLength(1);
});

test('owners, tokens and keys are listed a page at a time', () => {
  const { rows, total } = store.blobRecords.pageByOwner({ offset: 0, limit: 2 });
  expect([rows.length, total]).toEqual([2, 3]);
  expect(rows[0]).toEqual({
    owner: 'institution',
    bytes: store.blobRecords.bytesOf('institution'),
  });
  const tokens = store.tokens.page({ offset: 2, limit: 3 });
  expect([tokens.rows.length, tokens.total]).toEqual([3, store.tokens.list().length]);
  const keys = store.identities.page(ALL);
  expect(keys.rows[0].keyId).toBe(pool.waitingKey);
  expect([keys.total, store.identities.waiting()]).toEqual([6, 1]);
});

test('a store of an earlier program gets what its lists need', async () => {
  const earlier = await furnishPool();
  const read = () => {
    const opened = new Store(earlier.world.data);
    const { snapshotIndex, snapshotHoldings } = opened;
    const { rows } = snapshotIndex.page(ALL);
    const found = rows.map((row) => [row, snapshotHoldings.held(row.id, ALL)]);
    opened.close();
    return found;
  };
  const before = read();
  const catalog = openDatabase(join(earlier.world.data, 'catalog.db'));
  catalog.exec(`
    DROP TABLE snapshot_contributions;
    DROP INDEX contributions_by_time;
    DROP INDEX contributions_by_institution;
    DROP INDEX contributions_by_id;
    DROP INDEX contributions_withdrawn;
    DROP INDEX snapshots_by_time;
    DROP INDEX models_in_order;
    DROP INDEX audits_in_order;
    ALTER TABLE snapshots DROP COLUMN segments;
    ALTER TABLE snapshots DROP COLUMN sentences;
    ALTER TABLE snapshots DROP COLUMN tokens;
    ALTER TABLE snapshots DROP COLUMN bytes;
    PRAGMA user_version = 7;
  `);
  catalog.close();
  expect(read()).toEqual(before);
  earlier.world.remove();
});
