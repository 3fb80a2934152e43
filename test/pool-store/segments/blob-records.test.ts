import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { NewBlob } from '../../../pool-store/segments/blob-record.js';
import type { Store } from '../../../pool-store/store.js';
import { openStore } from '../opened-store.js';

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-blob-records-'));
  store = await openStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const blob = (digest: string, owner: string | null = 'north'): NewBlob => ({
  ...{ digest, kind: 'bundle-file', bytes: 5, owner },
});

/** How many transactions are committed while `work` is done. */
async function transactionsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  store.catalog.onCommit(() => count++);
  await work();
  return count;
}

test('blobs that come at once are recorded together, each with an entry of the log', async () => {
  const digests = Array.from({ length: 150 }, (_, i) => `blob-${i}`);
  const count = await transactionsDuring(() =>
    Promise.all(digests.map((digest) => store.blobRecords.add(blob(digest)))),
  );
  // The first, then 64 at most.
  expect(count).toBe(4);
  expect([...(await store.blobRecords.findAll(digests)).keys()].sort()).toEqual(digests.sort());
  const stored = (await store.log.entries()).filter(({ action }) => action === 'blob-stored');
  expect(stored.map(({ subject }) => subject).sort()).toEqual(digests);
  expect(await store.log.firstBroken()).toBeUndefined();
});

test('one that is being collected is refused, and keeps no other out', async () => {
  expect(await store.blobRecords.refuseUnknown('gone', 'holder')).toBe(true);
  const added = [blob('first'), blob('gone'), blob('other')].map((each) =>
    store.blobRecords.add(each),
  );
  const outcomes = await Promise.allSettled(added);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: 'store-unavailable' }) }),
  );
  expect(await store.blobRecords.find('gone')).toBeUndefined();
  await store.blobRecords.collected('gone', 'holder');
  await store.blobRecords.add(blob('gone'));
  expect((await store.blobRecords.get('gone')).bytes).toBe(5);
});

test('the same blob twice is recorded once, and gets an owner where it had none', async () => {
  await Promise.all([
    ...[blob('busy'), blob('one', null), blob('one', 'south'), blob('one', 'north')].map((each) =>
      store.blobRecords.add(each),
    ),
  ]);
  expect((await store.blobRecords.get('one')).owner).not.toBeNull();
  const { owner } = await store.blobRecords.get('one');
  await store.blobRecords.add(blob('one', 'east'));
  expect((await store.blobRecords.get('one')).owner).toBe(owner);
  await store.blobRecords.add(blob('two', null));
  await store.blobRecords.add(blob('two', 'east'));
  expect((await store.blobRecords.get('two')).owner).toBe('east');
  const stored = (await store.log.entries()).filter(({ action }) => action === 'blob-stored');
  expect(stored).toHaveLength(3);
});

test('what the catalog itself refuses keeps no other out', async () => {
  const { blobRecords } = store;
  const broken = { ...blob('broken'), bytes: null as unknown as number };
  const outcomes = await Promise.allSettled(
    [blob('first'), blob('second'), broken, blob('third')].map((each) => blobRecords.add(each)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ]);
  const kept = [...(await blobRecords.findAll(['first', 'second', 'broken', 'third'])).keys()];
  expect(kept.sort()).toEqual(['first', 'second', 'third']);
  expect(await store.log.firstBroken()).toBeUndefined();
});
