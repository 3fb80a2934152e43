import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Blobs } from '../../../pool-store/blobs/blobs.js';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { readPlaces } from '../../../pool-store/segments/block-places.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { readWindows, type SnapshotSource } from '../../../pool-store/snapshots/snapshot-reader.js';
import type { Store } from '../../../pool-store/store.js';
import { segmentOf } from '../../services/world.js';
import { openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

const SENTENCES = [1, 2000, 9000];

let directory: string;
let store: Store;
let snapshot: Snapshot;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-block-index-'));
  store = await openStore(directory);
  const giver = await Giver.of(store);
  for (const [seed, sentences] of SENTENCES.entries()) {
    const bytes = segmentOf(sentences, seed);
    await giver.upload(bytes);
    await giver.accept(giver.contributionOf(bytes));
  }
  snapshot = await store.snapshots.create();
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The blobs of the store, and how often one of them is opened. */
function counted() {
  let opened = 0;
  const blobs: Blobs = Object.create(store.blobs, {
    open: {
      value: (digest: string, amongBytes?: number) => {
        opened++;
        return store.blobs.open(digest, amongBytes);
      },
    },
  });
  return { blobs, opened: () => opened };
}

async function bytesFrom(source: SnapshotSource): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes, messages } of readWindows(source, snapshot, 1, 512 * 1024))
    for (const { start, stop } of messages)
      parts.push(Uint8Array.from(bytes.subarray(start, stop)));
  return Buffer.concat(parts);
}

describe('where the blocks of a segment lie', () => {
  test('is in the catalog as its footer says', async () => {
    const known = await store.blockIndex.of(snapshot.segments);
    const blocks: number[] = [];
    for (const segment of snapshot.segments) {
      const blob = await store.blobs.open(segment);
      expect(known.get(segment)).toEqual(await readPlaces(blob));
      blocks.push(known.get(segment)?.bytes.length ?? 0);
      await blob.close();
    }
    expect(Math.min(...blocks)).toBe(1);
    expect(Math.max(...blocks)).toBeGreaterThan(1);
  });

  test('is known of none but what was asked for', async () => {
    const [first] = snapshot.segments;
    expect([...(await store.blockIndex.of([first, 'a'.repeat(64)])).keys()]).toEqual([first]);
  });

  test('is asked of no segment: one is opened for the blocks that are read alone', async () => {
    const { blobs, opened } = counted();
    const reading = readWindows({ blobs, blockIndex: store.blockIndex }, snapshot, 1, 1);
    await reading.next();
    expect(opened()).toBe(1);
    await reading.return(undefined);
  });

  test('is read of the segment where the catalog has it not, and gives the same', async () => {
    const withIndex = await bytesFrom(store);
    const [first] = snapshot.segments;
    const { rows } = await sql<{ blocks: string }>`
      SELECT blocks FROM segments WHERE digest = ${first}`.execute(store.catalog.read);
    const set = (blocks: string) =>
      store.catalog.write((transaction) =>
        transaction.updateTable('segments').set({ blocks }).where('digest', '=', first).execute(),
      );
    await set('[]');
    expect((await store.blockIndex.of(snapshot.segments)).has(first)).toBe(false);
    expect(await bytesFrom(store)).toEqual(withIndex);
    await set(rows[0]?.blocks ?? '[]');
    expect(await bytesFrom({ blobs: store.blobs })).toEqual(withIndex);
  });

  test('is damage where it is wrong, never other bytes', async () => {
    const known = await store.blockIndex.of(snapshot.segments);
    const blockIndex = {
      of: async () =>
        new Map(
          [...known].map(([digest, places]) => [digest, { ...places, first: places.first + 1 }]),
        ),
    };
    await expect(bytesFrom({ blobs: store.blobs, blockIndex })).rejects.toMatchObject({
      code: 'store-damaged',
    });
  });
});
