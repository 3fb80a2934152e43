import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../platform/sqlite/database.js';
import { CachedBlobs } from '../../pool-store/blobs/cached-blobs.js';
import { DiskBlobs } from '../../pool-store/blobs/disk-blobs.js';
import { fileContent } from '../../pool-store/blobs/file-content.js';
import { sql } from '../../pool-store/catalog/kysely.js';
import { MIGRATIONS } from '../../pool-store/catalog/migrations.js';
import { recover } from '../../pool-store/recovery.js';
import { Store } from '../../pool-store/store.js';
import { acceptUpload } from '../../pool-store/uploads/accept-upload.js';
import { keyIdOf, sign } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { segmentOf, sha256 } from '../services/world.js';
import { changeRows } from './changed-rows.js';
import { openStore, testOnSqlite } from './opened-store.js';
import { placeBlobs, rawBlobs } from './test-place.js';

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = placeBlobs(mkdtempSync(join(tmpdir(), 'tacet-store-')));
  store = await openStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const coded = (code: string) => expect.objectContaining({ code });

async function keep(bytes: Uint8Array, digest = sha256(bytes)): Promise<string> {
  const path = join(store.uploads, 'upload');
  writeFileSync(path, bytes);
  await acceptUpload(store, fileContent(path, bytes.length), { digest, kind: 'segment' });
  return digest;
}

describe('a store', () => {
  test('is there again after it was closed', async () => {
    const digest = await keep(segmentOf(3, 1));
    await store.close();
    store = await openStore(directory);
    expect((await store.blobRecords.get(digest)).kind).toBe('segment');
    expect(await store.blobs.size(digest)).toBeGreaterThan(0);
  });

  test('is free for another process, and tells what goes on of itself, also where it cannot be closed in order', async () => {
    const away = new Error('the disk of the copies is gone');
    const own = mkdtempSync(join(tmpdir(), 'tacet-store-'));
    const far = new DiskBlobs(join(own, 'blobs'));
    mkdirSync(far.directory);
    const blobs = await CachedBlobs.over(far, { directory: join(own, 'cache'), mostBytes: 1000 });
    const served = await Store.open(own, { serve: true, blobs });
    jest.spyOn(blobs, 'close').mockRejectedValueOnce(away);
    expect(served.closing.aborted).toBe(false);
    await expect(served.close()).rejects.toBe(away);
    expect(served.closing.aborted).toBe(true);
    await (await Store.open(own, { serve: true })).close();
    rmSync(own, { recursive: true });
  });

  test('has no blob whose bytes are not those of its name', async () => {
    await expect(keep(segmentOf(3, 1), 'ab'.repeat(32))).rejects.toEqual(coded('digest-mismatch'));
    expect(await store.blobRecords.find('ab'.repeat(32))).toBeUndefined();
  });

  testOnSqlite('of a newer program is left alone', async () => {
    const catalog = openDatabase(join(directory, 'catalog.db'));
    catalog.pragma('user_version = 999');
    catalog.close();
    await expect(openStore(directory)).rejects.toThrow(/Upgrade/);
  });

  testOnSqlite(
    'of an earlier program keeps its tokens and audits, and has room for more',
    async () => {
      const earlier = join(directory, 'earlier');
      mkdirSync(earlier);
      const catalog = openDatabase(join(earlier, 'catalog.db'));
      for (const migration of MIGRATIONS.slice(0, 3)) catalog.exec(migration);
      catalog.pragma('user_version = 3');
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const keyId = keyIdOf(publicKey);
      catalog
        .prepare('INSERT INTO identities VALUES (?, ?, ?, ?, ?)')
        .run(keyId, 'auditor', rawPublicKey(publicKey), 'then', 'then');
      catalog
        .prepare("INSERT INTO identities VALUES ('other', 'auditor', ?, 'then', 'then')")
        .run(rawPublicKey(generateKeyPairSync('ed25519').publicKey));
      catalog
        .prepare(
          "INSERT INTO models VALUES ('digest', 'm', '1.0.0', '{}', 'p', 't', 'published', NULL)",
        )
        .run();
      const envelope = sign('type', Buffer.from('report'), privateKey);
      const id = createHash('sha256').update('report').digest('hex');
      catalog
        .prepare('INSERT INTO audits VALUES (?, ?, ?, ?, ?)')
        .run(id, 'digest', keyId, JSON.stringify(envelope), 'then');
      catalog
        .prepare("INSERT INTO tokens VALUES ('id', ?, 'admin', 'operator', 'then', NULL, NULL)")
        .run(Buffer.alloc(32));
      catalog.exec(`
        INSERT INTO blobs VALUES ('file', 'bundle-file', 5, 'then', NULL, 'university');
        INSERT INTO model_files VALUES ('digest', 'weights', 'file');`);
      catalog.close();

      const upgraded = await openStore(earlier);
      expect(await upgraded.blobRecords.find('file')).toEqual({
        ...{ digest: 'file', kind: 'bundle-file', bytes: 5, stored: 'then' },
        ...{ erased: null, owner: 'university' },
      });
      const checkpoint = { digest: 'c', kind: 'checkpoint', bytes: 1, owner: null } as const;
      await upgraded.blobRecords.add(checkpoint);
      expect(await upgraded.audits.of('digest')).toEqual([
        { id, model: 'digest', keyId, envelope, attached: 'then' },
      ]);
      expect(await upgraded.tokens.list()).toEqual([
        expect.objectContaining({ id: 'id', role: 'admin' }),
      ]);
      await upgraded.tokens.create({ role: 'monitor', name: 'prometheus' });
      const claimed = { ...envelope, signatures: [{ keyid: 'other', sig: '' }] };
      await upgraded.audits.attach('digest', ['other'], claimed);
      expect((await upgraded.audits.of('digest')).map((audit) => audit.keyId)).toEqual(
        expect.arrayContaining([keyId, 'other']),
      );
      await upgraded.close();
    },
  );

  test('is served by one process at a time', async () => {
    const served = await openStore(directory, { serve: true });
    await expect(openStore(directory, { serve: true })).rejects.toThrow(/another process serves/);
    await served.close();
    await (await openStore(directory, { serve: true })).close();
  });
});

describe('recovery', () => {
  test('puts bytes aside that no commit names, and reports blobs that are missing', async () => {
    const kept = await keep(segmentOf(3, 1));
    const lost = await keep(segmentOf(3, 2));
    await store.blobs.erase(lost);
    const orphan = 'cd'.repeat(32);
    await rawBlobs(directory).write(orphan, 'x');
    expect(await recover(store)).toEqual({
      orphans: [orphan],
      takenBack: [],
      erased: [],
      missing: [lost],
    });
    expect(await store.blobs.size(kept)).toBeGreaterThan(0);
    expect(await store.blobs.size(orphan)).toBeUndefined();
  });
});

describe('the change log', () => {
  test('chains every change to the one before', async () => {
    await keep(segmentOf(3, 1));
    await store.tokens.create({ role: 'admin', name: 'op' });
    const entries = await store.log.entries();
    expect(entries.map(({ action }) => action)).toEqual(['blob-stored', 'token-created']);
    expect(entries[1].previous).toBe(entries[0].hash);
    expect(await store.log.head()).toEqual({ sequence: 2, hash: entries[1].hash });
    expect(await store.log.firstBroken()).toBeUndefined();
  });

  test.each([
    ['changed', sql`UPDATE log SET subject = 'x' WHERE sequence = 2`],
    ['removed', sql`DELETE FROM log WHERE sequence = 2`],
  ])('shows where an entry was %s', async (_, change) => {
    for (const name of ['a', 'b', 'c']) await store.tokens.create({ role: 'admin', name });
    await changeRows(store.catalog, change);
    expect(await store.log.firstBroken()).toBe(2);
  });
});
