import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { restoreStore } from '../../../pool-store/copies/restore.js';
import type { LogEntry } from '../../../pool-store/log/log-chain.js';
import type { Store } from '../../../pool-store/store.js';
import { verifyStore } from '../../../pool-store/verify.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { segmentOf, sha256 } from '../../services/world.js';
import { allOf } from '../log-entries.js';
import { openStore, testOnSqlite } from '../opened-store.js';
import { Giver } from '../pooled-store.js';
import { placeBlobs, type RawBlobs, rawBlobs } from '../test-place.js';

let root: string;
let store: Store;
let north: Giver;
let raw: RawBlobs;
const coded = (code: string) => expect.objectContaining({ code });
const at = (name: string) => join(root, name);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-backup-'));
  store = await openStore(placeBlobs(at('store')));
  raw = rawBlobs(at('store'));
  north = await Giver.of(store);
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const pathOf = (directory: string, digest: string) =>
  join(at(directory), 'blobs', digest.slice(0, 2), digest);

/** Of a segment in the store. */
async function damage(segment: string): Promise<void> {
  const bytes = await raw.read(segment);
  bytes[100] ^= 1;
  await raw.write(segment, bytes);
}

function flipByte(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] ^= 1;
  writeFileSync(path, bytes);
}

async function restored<T>(
  later: Iterable<LogEntry> | undefined,
  look: (store: Store) => T | Promise<T>,
): Promise<T> {
  await restoreStore(at('backup'), at('restored'), { later });
  const found = await openStore(at('restored'));
  try {
    return await look(found);
  } finally {
    await found.close();
  }
}

describe('a backup', () => {
  test('restores everything that was acknowledged before it, and the key of the log', async () => {
    const given = [await north.give(1), await north.give(2)];
    const { id } = await store.snapshots.create();
    const key = store.logKey.export({ type: 'pkcs8', format: 'pem' });
    expect(await backupStore(store, at('backup'))).toEqual({
      sequence: (await store.log.head()).sequence,
      blobs: 2,
      damaged: [],
    });
    await restored(undefined, async (found) => {
      expect((await found.contributions.list()).map((one) => one.id).sort()).toEqual(
        given.map((one) => one.id).sort(),
      );
      expect((await found.snapshots.getReadable(id)).sentenceCount).toBe(20);
      expect(found.logKey.export({ type: 'pkcs8', format: 'pem' })).toBe(key);
      expect(await verifyStore(found)).toEqual(
        expect.objectContaining({ blobs: 2, damaged: [], missing: [], catalog: [] }),
      );
    });
  });

  test('that is repeated copies what is new and erases what was withdrawn', async () => {
    const first = await north.give(1);
    await backupStore(store, at('backup'));
    const before = statSync(pathOf('backup', first.segment)).ino;
    const second = await north.give(2);
    await backupStore(store, at('backup'));
    expect(statSync(pathOf('backup', first.segment)).ino).toBe(before);
    await store.contributions.withdraw(second.id);
    expect((await backupStore(store, at('backup'))).blobs).toBe(1);
    expect(existsSync(pathOf('backup', second.segment))).toBe(false);
  });

  test('names a segment that is damaged and takes the others', async () => {
    const damaged = await north.give(1);
    const sound = await north.give(2);
    await damage(damaged.segment);
    const backup = await backupStore(store, at('backup'));
    expect(backup).toEqual(expect.objectContaining({ blobs: 1, damaged: [damaged.segment] }));
    expect(existsSync(pathOf('backup', sound.segment))).toBe(true);
    expect(existsSync(pathOf('backup', damaged.segment))).toBe(false);
  });

  test('names nothing as damaged that was collected while it ran', async () => {
    await north.give(1);
    const unused = await north.upload(segmentOf(10, 2));
    const { size } = store.blobs;
    const found = jest.spyOn(store.blobs, 'size').mockImplementation(async (digest) => {
      if (digest === unused) await store.dropUnused([unused]);
      return size.call(store.blobs, digest);
    });
    expect(await backupStore(store, at('backup'))).toEqual(
      expect.objectContaining({ blobs: 1, damaged: [] }),
    );
    found.mockRestore();
  });

  test('has no unfinished uploads, whose bytes are elsewhere', async () => {
    const upload = {
      id: 'u',
      kind: 'segment',
      digest: 'ab'.repeat(32),
      owner: 'o',
      holder: 'north',
    } as const;
    await store.catalog.write((transaction) =>
      transaction
        .insertInto('uploads')
        .values({ ...upload, size: 1, received: 0, touched: 0 })
        .execute(),
    );
    await backupStore(store, at('backup'));
    await restored(undefined, async ({ catalog }) => {
      expect(await catalog.read.selectFrom('uploads').selectAll().execute()).toEqual([]);
    });
  });

  test('is not begun where another one into the same directory is under way', async () => {
    await north.give(1);
    const { size } = store.blobs;
    let second: unknown;
    const held = jest.spyOn(store.blobs, 'size').mockImplementationOnce(async (digest) => {
      second = await backupStore(store, at('backup')).catch((error) => error);
      return size.call(store.blobs, digest);
    });
    expect(await backupStore(store, at('backup'))).toMatchObject({ blobs: 1, damaged: [] });
    expect(second).toEqual(coded('store-busy'));
    held.mockRestore();
    expect(await backupStore(store, at('backup'))).toMatchObject({ blobs: 1, damaged: [] });
    expect(existsSync(join(at('backup'), 'new'))).toBe(false);
  });

  test('is not made over a store or other files', async () => {
    writeFileSync(at('note'), 'x');
    await expect(backupStore(store, root)).rejects.toEqual(coded('conflict'));
    const served = await openStore(at('other'), { serve: true });
    await expect(backupStore(store, at('other'))).rejects.toEqual(coded('conflict'));
    await served.close();
  });
});

test('a backup loses what was uploaded, used by nothing and dropped since', async () => {
  const dropped = segmentOf(3, 77);
  await north.upload(dropped);
  const { segment: kept } = await north.give(78);
  await backupStore(store, at('backup'));
  expect(existsSync(pathOf('backup', sha256(dropped)))).toBe(true);
  await store.collectUnused(new Date(Date.now() + 1000));
  await backupStore(store, at('backup'));
  expect(existsSync(pathOf('backup', sha256(dropped)))).toBe(false);
  expect(existsSync(pathOf('backup', kept))).toBe(true);
});

describe('a restoration', () => {
  test('does not bring back what was withdrawn or revoked after the backup', async () => {
    const kept = await north.give(1);
    const gone = await north.give(2);
    const tokens: { id: string; token: string }[] = [];
    for (const name of ['revoked', 'rotated', 'valid'])
      tokens.push(await store.tokens.create({ role: 'admin', name }));
    const { publicKey } = generateKeyPairSync('ed25519');
    const { keyId } = await store.identities.request('leaked', rawPublicKey(publicKey));
    await store.identities.approve(keyId);
    await backupStore(store, at('backup'));
    await store.contributions.withdraw(gone.id);
    await store.identities.revoke(keyId);
    await store.tokens.revoke(tokens[0].id);
    await store.tokens.rotate(tokens[1].id);
    await store.contributions.withdraw((await north.give(3)).id);
    await restored(await allOf(store.log.all()), async (found) => {
      expect((await found.contributions.get(gone.id)).withdrawn).not.toBeNull();
      expect((await found.contributions.get(kept.id)).withdrawn).toBeNull();
      expect(existsSync(pathOf('restored', gone.segment))).toBe(false);
      const valid = await Promise.all(tokens.map(({ token }) => found.tokens.find(token)));
      expect(valid.map((token) => token?.name)).toEqual([undefined, undefined, 'valid']);
      expect(await found.identities.keysOf('leaked')).toEqual([]);
      const restoredAt = (await found.log.entries()).at(-1);
      expect(restoredAt?.action).toBe('store-restored');
      expect(await found.log.firstBroken()).toBeUndefined();
    });
  });

  test('has nothing of what was uploaded before the backup, and given and withdrawn after it', async () => {
    const bytes = segmentOf(10, 4);
    const segment = await north.upload(bytes);
    const kept = await north.give(5);
    await backupStore(store, at('backup'));
    const gift = north.contributionOf(bytes);
    const { id } = await north.accept(gift);
    await store.contributions.withdraw(id);
    await restored(await allOf(store.log.all()), async (found) => {
      expect(existsSync(pathOf('restored', segment))).toBe(false);
      expect(await found.blobRecords.find(segment)).toBeUndefined();
      expect(await found.blobs.size(kept.segment)).toBeDefined();
      await expect(found.contributions.accept(gift.envelope, gift.manifest)).rejects.toEqual(
        coded('withdrawn'),
      );
      const entries = await allOf(found.log.all());
      expect(entries.filter(({ action }) => action === 'contribution-withdrawn')).toEqual([
        expect.objectContaining({ subject: id }),
      ]);
      expect(await verifyStore(found)).toMatchObject({ blobs: 1, missing: [], logBrokenAt: null });
    });
  });

  test('refuses the log of another store, one that ends before the backup, and one that was altered', async () => {
    const earlier = await allOf(store.log.all());
    await north.give(1);
    await backupStore(store, at('backup'));
    const other = await openStore(at('other'));
    for (const name of 'abcdefgh') await other.tokens.create({ role: 'admin', name });
    const foreign = await allOf(other.log.all());
    await other.close();
    const { id } = await store.tokens.create({ role: 'admin', name: 'late' });
    await store.tokens.revoke(id);
    const altered = (await allOf(store.log.all())).map((entry) =>
      entry.action === 'token-revoked' ? { ...entry, subject: 'x' } : entry,
    );
    for (const later of [foreign, foreign.slice(0, 1), earlier, [], altered]) {
      const attempt = restoreStore(at('backup'), at('restored'), { later });
      await expect(attempt).rejects.toEqual(coded('conflict'));
      expect(existsSync(at('restored'))).toBe(false);
    }
  });

  test('names what is damaged in the backup, and touches no directory in use', async () => {
    const { segment } = await north.give(1);
    await backupStore(store, at('backup'));
    flipByte(pathOf('backup', segment), 100);
    const { damaged } = await restoreStore(at('backup'), at('restored'), { later: undefined });
    expect(damaged).toEqual([segment]);
    const again = restoreStore(at('backup'), at('restored'), { later: undefined });
    await expect(again).rejects.toEqual(coded('conflict'));
  });
});

describe('a check of a store', () => {
  test('moves a damaged segment aside, until it is uploaded again', async () => {
    const { id, segment } = await north.give(1);
    const snapshot = await store.snapshots.create();
    const bytes = await raw.read(segment);
    await damage(segment);
    const found = await verifyStore(store, { isolate: true });
    expect(found.damaged).toEqual([segment]);
    expect([...found.affected].sort()).toEqual([`contribution ${id}`, `snapshot ${snapshot.id}`]);
    expect(await raw.has(segment, 'quarantine')).toBe(true);
    expect((await verifyStore(store)).missing).toEqual([segment]);
    await north.upload(bytes);
    expect(await verifyStore(store)).toEqual(
      expect.objectContaining({ damaged: [], missing: [], affected: [] }),
    );
  });

  testOnSqlite('names the table of a damaged page, and goes on with the rest', async () => {
    for (let name = 0; name < 200; name++) {
      await store.tokens.create({ role: 'admin', name: `holder-${name}` });
    }
    await north.give(1);
    const { rows } = await sql<{ rootpage: number; pageBytes: number }>`
      SELECT rootpage, page_size AS "pageBytes" FROM sqlite_schema, pragma_page_size
      WHERE name = 'tokens'`.execute(store.catalog.read);
    const { rootpage = 0, pageBytes = 0 } = rows[0] ?? {};
    await store.close();
    const path = join(at('store'), 'catalog.db');
    const catalog = readFileSync(path);
    catalog.fill(0xff, (rootpage - 1) * pageBytes, (rootpage - 1) * pageBytes + 200);
    writeFileSync(path, catalog);
    store = await openStore(at('store'));
    const found = await verifyStore(store);
    expect(found.catalog.join('\n')).toMatch(/^tokens: /m);
    expect(found).toEqual(expect.objectContaining({ blobs: 1, damaged: [], missing: [] }));
  });

  testOnSqlite('says that a catalog without its first page is damaged', async () => {
    await store.close();
    writeFileSync(join(at('store'), 'catalog.db'), 'x'.repeat(8192));
    await expect(openStore(at('store'))).rejects.toEqual(coded('store-damaged'));
    rmSync(join(at('store'), 'catalog.db'));
    store = await openStore(at('store'));
  });
});
