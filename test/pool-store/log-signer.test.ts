import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { backupStore } from '../../pool-store/copies/backup.js';
import { restoreStore } from '../../pool-store/copies/restore.js';
import { changeLogSigner, logSignerOf } from '../../pool-store/log-signer.js';
import { openServedStore } from '../../pool-store/served-store.js';
import { KEY_DIRECTORY, Store } from '../../pool-store/store.js';
import { keyIdOf } from '../../proto/dsse.js';
import { allOf } from './log-entries.js';
import { catalogFor, describeOnPostgres } from './opened-store.js';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(message) });

let root: string;
const at = (...names: string[]) => join(root, ...names);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-signer-'));
  mkdirSync(at('one'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The store of a directory, with the catalog of another where that is named. */
async function served(
  directory: string,
  logKey?: KeyObject,
  catalogOf = directory,
): Promise<Store> {
  const catalog = await catalogFor(at(catalogOf));
  return openServedStore(at(directory), { cacheBytes: 1e6, catalog, logKey });
}

test('a store keeps the key that its log is signed with, and refuses another', async () => {
  const first = await served('one');
  const own = keyIdOf(first.logKey);
  expect(await logSignerOf(first.catalog.read)).toBe(own);
  await first.close();
  await (await served('one')).close();
  await expect(served('one', newKey())).rejects.toEqual(
    refused(/signed by key .* has key .*--log-key/),
  );
  renameSync(at('one', KEY_DIRECTORY), at('kept'));
  await expect(served('one')).rejects.toEqual(refused(/signed by key .* has no such key/));
  expect(existsSync(at('one', KEY_DIRECTORY))).toBe(false);
  renameSync(at('kept'), at('one', KEY_DIRECTORY));
  const again = await served('one');
  expect(keyIdOf(again.logKey)).toBe(own);
  await again.close();
});

test('a key is replaced by who says so once nobody serves, and the log holds which came when', async () => {
  const [before, after] = [newKey(), newKey()];
  const server = await served('one', before);
  const store = await Store.open(at('one'), { catalog: await catalogFor(at('one')) });
  const tooEarly = changeLogSigner(store, after);
  await expect(tooEarly).rejects.toEqual(expect.objectContaining({ code: 'store-busy' }));
  expect(await logSignerOf(store.catalog.read)).toBe(keyIdOf(before));
  await server.close();
  await changeLogSigner(store, after);
  await changeLogSigner(store, after);
  const changes = (await allOf(store.log.all())).filter(
    ({ action }) => action === 'log-key-changed',
  );
  expect(changes).toEqual([
    expect.objectContaining({ subject: keyIdOf(after), details: { previous: keyIdOf(before) } }),
  ]);
  await store.close();
  await expect(served('one', before)).rejects.toEqual(refused(/signed by key/));
  await (await served('one', after)).close();
});

test('what is restored is signed by the key of the store that was backed up', async () => {
  const own = await served('one');
  await backupStore(own, at('backup'));
  await own.close();
  await restoreStore(at('backup'), at('restored'), { later: undefined });
  await (await openServedStore(at('restored'), { cacheBytes: 1e6 })).close();
});

test('what is restored is signed by the key that came after the backup', async () => {
  const own = await served('one');
  await backupStore(own, at('backup'));
  await own.close();
  const store = await Store.open(at('one'), { catalog: await catalogFor(at('one')) });
  const key = newKey();
  await changeLogSigner(store, key);
  const later = await allOf(store.log.all());
  await store.close();
  await restoreStore(at('backup'), at('restored'), { later });
  const open = (logKey?: KeyObject) => openServedStore(at('restored'), { cacheBytes: 1e6, logKey });
  await expect(open()).rejects.toEqual(refused(/signed by key/));
  await (await open(key)).close();
});

test('a backup lacks a key that lies elsewhere: what is restored wants it', async () => {
  const key = newKey();
  const store = await served('one', key);
  await backupStore(store, at('backup'));
  await store.close();
  expect(existsSync(at('backup', KEY_DIRECTORY))).toBe(false);
  await restoreStore(at('backup'), at('restored'), { later: undefined });
  const open = (logKey?: KeyObject) => openServedStore(at('restored'), { cacheBytes: 1e6, logKey });
  await expect(open()).rejects.toEqual(refused(/has no such key/));
  await (await open(key)).close();
});

describeOnPostgres('servers of one catalog', () => {
  test('are refused with a key each, and taken with one', async () => {
    const key = newKey();
    const first = await served('one', key);
    await expect(served('two', undefined, 'one')).rejects.toEqual(refused(/has no such key/));
    await expect(served('three', newKey(), 'one')).rejects.toEqual(refused(/has key/));
    await (await served('two', key, 'one')).close();
    await first.leases.take('housekeeping', 'another', 60_000);
    await first.close();
    const store = await Store.open(at('two'), { catalog: await catalogFor(at('one')) });
    await expect(changeLogSigner(store, newKey())).rejects.toEqual(
      expect.objectContaining({ code: 'store-busy' }),
    );
    await store.close();
  });

  test('that start at once with a key each are one', async () => {
    const starts = await Promise.allSettled([
      served('one', newKey()),
      served('two', newKey(), 'one'),
    ]);
    const started = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(started).toHaveLength(1);
    for (const store of started) await store.close();
  });
});
