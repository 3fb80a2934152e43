import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fileContent } from '../../pool-store/blobs/file-content.js';
import { recover } from '../../pool-store/recovery.js';
import type { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';

import { segmentOf, sha256 } from '../services/world.js';
import { describeOnSqlite, openStore } from './opened-store.js';
import { Giver } from './pooled-store.js';
import { placeBlobs, type RawBlobs, rawBlobs, TEST_BUCKET } from './test-place.js';

let root: string;
let directory: string;
let store: Store;
let north: Giver;
let raw: RawBlobs;
const coded = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-recovery-'));
  directory = placeBlobs(join(root, 'store'));
  raw = rawBlobs(directory);
  store = await openStore(directory, { serve: true });
  north = await Giver.of(store);
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(directory, name);
const catalog = () => at('catalog.db');

/** Exchanges the catalog of the store, which is closed, and opens it as a server would. */
async function reopen(change: () => void = () => {}): Promise<Store> {
  await store.close();
  change();
  store = await openStore(directory, { serve: true });
  return store;
}

/** The catalog as an operator's copy has it: one file, of one moment. */
async function copyCatalog(): Promise<string> {
  const copy = join(root, 'catalog.copy');
  await store.catalog.copyTo(copy);
  return copy;
}

function exchange(copy: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(catalog() + suffix, { force: true });
  copyFileSync(copy, catalog());
}

/** Whoever serves a bucket asks it (`served-store.test.ts`): a store alone does not wait for a network. */
const onDisk = TEST_BUCKET === undefined ? describeOnSqlite : describe.skip;
/** Uploads are files where blobs are. */
const fileTest = TEST_BUCKET === undefined ? test : test.skip;

onDisk('a start without the catalog', () => {
  test.each([
    ['missing', () => rmSync(catalog())],
    ['empty', () => writeFileSync(catalog(), '')],
  ])('that is %s is refused and changes nothing', async (_, change) => {
    const { segment } = await north.give(1);
    await expect(reopen(change)).rejects.toEqual(
      coded('store-damaged', /catalog\.db is missing or empty/),
    );
    expect(await raw.has(segment)).toBe(true);
    // Refused once more, by those that do not serve as well.
    await expect(openStore(directory)).rejects.toEqual(
      coded('store-damaged', /tacet store restore/),
    );
  });

  test('leaves a store that can be opened once the catalog is put back', async () => {
    const { id, segment } = await north.give(1);
    const copy = await copyCatalog();
    await expect(reopen(() => rmSync(catalog()))).rejects.toThrow();
    await reopen(() => copyFileSync(copy, catalog()));
    await recover(store);
    expect((await store.contributions.get(id)).withdrawn).toBeNull();
    expect(await raw.has(segment)).toBe(true);
  });
});

describeOnSqlite('a start with an older catalog', () => {
  test('is refused, says from which entry on it is older, and changes nothing', async () => {
    await north.give(1);
    const { sequence } = await store.log.head();
    const copy = await copyCatalog();
    const { segment } = await north.give(2);
    const lost = (await store.log.head()).sequence;
    const message = new RegExp(`ends at entry ${sequence} .* lacks entry ${lost}`);
    await expect(reopen(() => exchange(copy))).rejects.toEqual(coded('store-damaged', message));
    expect(await raw.has(segment)).toBe(true);
  });

  test('is refused where its write-ahead log is missing', async () => {
    const checkpoint = await openStore(directory);
    await north.give(1);
    copyFileSync(catalog(), join(root, 'alone'));
    await checkpoint.close();
    await expect(reopen(() => exchange(join(root, 'alone')))).rejects.toEqual(
      coded('store-damaged', /older copy, or its catalog\.db-wal is missing|missing or empty/),
    );
  });

  test('is refused where it went on by itself to as many entries', async () => {
    await north.give(1);
    const copy = await copyCatalog();
    await store.tokens.create({ role: 'admin', name: 'here' });
    await store.close();
    const head = at('log-head');
    copyFileSync(head, join(root, 'head'));
    exchange(copy);
    rmSync(head);
    const other = await openStore(directory);
    for (const name of ['there', 'elsewhere']) await other.tokens.create({ role: 'admin', name });
    await other.close();
    copyFileSync(join(root, 'head'), head);
    await expect(reopen()).rejects.toEqual(coded('store-damaged', /older copy/));
  });

  test('that cannot be known for one puts blobs aside, and takes them back for the newest', async () => {
    const copy = await copyCatalog();
    const given = await north.give(1);
    const newest = join(root, 'newest');
    await store.catalog.copyTo(newest);
    await reopen(() => {
      exchange(copy);
      rmSync(at('log-head'));
    });
    expect((await recover(store)).orphans).toEqual([given.segment]);
    expect(await raw.has(given.segment, 'orphans')).toBe(true);
    await reopen(() => exchange(newest));
    expect((await recover(store)).takenBack).toEqual([given.segment]);
    expect(await verifyStore(store)).toEqual(
      expect.objectContaining({ blobs: 1, damaged: [], missing: [], orphans: [] }),
    );
  });

  test('leaves bytes aside that a check of the newest does not remove, for they are its own', async () => {
    const { segment } = await north.give(1);
    await store.blobs.putAside(segment);
    const found = await verifyStore(store, { removeOrphans: true });
    expect(found).toEqual(
      expect.objectContaining({ missing: [segment], returning: [segment], orphans: [] }),
    );
    expect((await recover(store)).takenBack).toEqual([segment]);
    expect((await verifyStore(store)).missing).toEqual([]);
  });

  test('is named by a check of the store, which then removes no orphans', async () => {
    await north.give(1);
    const copy = await copyCatalog();
    await north.give(2);
    const lost = (await store.log.head()).sequence;
    await store.close();
    exchange(copy);
    store = await openStore(directory);
    expect((await verifyStore(store)).lostEntry).toBe(lost);
    await expect(verifyStore(store, { removeOrphans: true })).rejects.toEqual(
      coded('store-damaged', /older copy/),
    );
  });
});

describe('a blob that the catalog does not name', () => {
  async function leaveOrphan(): Promise<string> {
    const digest = 'cd'.repeat(32);
    await raw.write(digest, 'bytes');
    return digest;
  }

  test('is put aside, shown by a check, and erased where that is asked for', async () => {
    const { segment } = await north.give(1);
    const digest = await leaveOrphan();
    expect((await verifyStore(store)).unnamed).toEqual([digest]);
    expect(await recover(store)).toEqual({
      orphans: [digest],
      takenBack: [],
      erased: [],
      missing: [],
    });
    expect(await store.blobs.size(digest)).toBeUndefined();
    const shown = { orphans: [digest], orphanBytes: 5, unnamed: [] };
    expect(await verifyStore(store)).toEqual(expect.objectContaining(shown));
    await verifyStore(store, { removeOrphans: true });
    expect(await raw.has(digest, 'orphans')).toBe(false);
    expect(await raw.has(segment)).toBe(true);
  });

  const recordOf = (digest: string) =>
    ({ digest, kind: 'bundle-file', bytes: 5, owner: 'north' }) as const;

  test('and names a moment later stays where it is', async () => {
    const digest = await leaveOrphan();
    const putAside = jest.spyOn(store.blobs, 'putAside');
    const findAll = store.blobRecords.findAll.bind(store.blobRecords);
    store.blobRecords.findAll = async (digests) => {
      const found = await findAll(digests);
      await store.blobRecords.add(recordOf(digest));
      return found;
    };
    expect(await recover(store)).toEqual({ orphans: [], takenBack: [], erased: [], missing: [] });
    expect(putAside).not.toHaveBeenCalled();
    expect(await raw.has(digest)).toBe(true);
  });

  test('and is gone a moment later is none that was put aside', async () => {
    const digest = await leaveOrphan();
    const { blobs } = store;
    const putAside = blobs.putAside.bind(blobs);
    blobs.putAside = async (moved) => {
      await blobs.erase(moved);
      await putAside(moved);
    };
    expect((await recover(store)).orphans).toEqual([]);
    expect(await raw.has(digest, 'orphans')).toBe(false);
  });

  test('gets no record while it is put aside, and one afterwards', async () => {
    const digest = await leaveOrphan();
    const putAside = store.blobs.putAside.bind(store.blobs);
    store.blobs.putAside = async (moved) => {
      await expect(store.blobRecords.add(recordOf(digest))).rejects.toEqual(
        coded('store-unavailable', /try again/),
      );
      await putAside(moved);
    };
    expect((await recover(store)).orphans).toEqual([digest]);
    await store.blobRecords.add(recordOf(digest));
  });

  test('is not put aside by who is not to recover any more', async () => {
    const digest = await leaveOrphan();
    const ended = AbortSignal.abort(new Error('another does'));
    await expect(recover(store, undefined, ended)).rejects.toThrow('another does');
    expect(await raw.has(digest)).toBe(true);
  });

  fileTest(
    'and whose upload a crash cut off before its record becomes the blob that it was to be',
    async () => {
      const bytes = segmentOf(10, 5);
      const digest = sha256(bytes);
      const metadata = { digest, kind: 'segment', owner: 'token', holder: 'north' };
      writeFileSync(at('uploads/one.json'), JSON.stringify({ size: bytes.length, metadata }));
      writeFileSync(at('uploads/one'), bytes);
      await store.blobs.put(fileContent(at('uploads/one'), bytes.length), digest);
      expect(await store.openUploads.recover()).toEqual({ unfinished: 0, finished: 1, removed: 0 });
      expect((await recover(store)).orphans).toEqual([]);
      expect(await store.blobRecords.get(digest)).toEqual(
        expect.objectContaining({ owner: 'north' }),
      );
      expect(existsSync(at('uploads/one.json'))).toBe(false);
    },
  );
});

test('a blob that came after the blobs were listed is not missing', async () => {
  const { blobRecords } = store;
  const all = blobRecords.all.bind(blobRecords);
  const bytes = segmentOf(10, 5);
  blobRecords.all = async function* () {
    await north.upload(bytes);
    yield* all();
  };
  const { segment } = await north.give(1);
  await store.blobs.erase(segment);
  expect((await recover(store)).missing).toEqual([segment]);
});

describe('what was withdrawn', () => {
  test('is erased wherever it was put aside', async () => {
    const [first, second] = [await north.give(1), await north.give(2)];
    await store.blobs.isolate(first.segment);
    await store.blobs.putAside(second.segment);
    for (const { id } of [first, second]) await store.contributions.withdraw(id);
    expect(await raw.has(first.segment, 'quarantine')).toBe(false);
    expect(await raw.has(second.segment, 'orphans')).toBe(false);
  });

  test('is erased at a start that finds it among the orphans', async () => {
    const { id, segment } = await north.give(1);
    const bytes = await raw.read(segment);
    await store.contributions.withdraw(id);
    await raw.write(segment, bytes, 'orphans');
    expect((await recover(store)).erased).toEqual([segment]);
    expect(await raw.has(segment, 'orphans')).toBe(false);
  });

  describe('while a recovery takes it back', () => {
    let id: string;
    let segment: string;

    /** Another process withdraws it, and erases it before or is killed before it does. */
    async function withdrawAtTakeBack({ erases }: { erases: boolean }): Promise<void> {
      ({ id, segment } = await north.give(1));
      const { blobs, contributions } = store;
      await blobs.putAside(segment);
      const [takeBack, erase] = [blobs.takeBack.bind(blobs), blobs.erase.bind(blobs)];
      blobs.takeBack = async (digest) => {
        if (!erases) blobs.erase = async () => {};
        await contributions.withdraw(id);
        blobs.erase = erase;
        await takeBack(digest);
      };
    }

    const gone = async () =>
      expect([await raw.has(segment), await raw.has(segment, 'orphans')]).toEqual([false, false]);

    test('is not brought back', async () => {
      await withdrawAtTakeBack({ erases: false });
      expect(await recover(store)).toEqual(
        expect.objectContaining({ takenBack: [], erased: [segment], missing: [] }),
      );
      await gone();
    });

    test('and is erased there is no fault of the recovery', async () => {
      await withdrawAtTakeBack({ erases: true });
      expect(await recover(store)).toEqual(expect.objectContaining({ takenBack: [], missing: [] }));
      await gone();
    });
  });

  test('while a recovery looks for what is missing is not missing', async () => {
    const { id } = await north.give(1);
    const { blobRecords } = store;
    const all = blobRecords.all.bind(blobRecords);
    blobRecords.all = async function* () {
      for await (const record of all()) {
        await store.contributions.withdraw(id);
        yield record;
      }
    };
    store.blobs.digests = async function* () {};
    expect((await recover(store)).missing).toEqual([]);
  });
});
