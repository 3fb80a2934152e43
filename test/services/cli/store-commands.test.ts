import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { hashOf, type LogEntry } from '../../../pool-store/log/log-chain.js';
import { openServedStore } from '../../../pool-store/served-store.js';
import { Store } from '../../../pool-store/store.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { signLogHead } from '../../../proto/log-head.js';
import { writeLogCopy } from '../../../services/client/log-copy.js';
import { allOf } from '../../pool-store/log-entries.js';
import { Giver } from '../../pool-store/pooled-store.js';
import { tacet } from '../serve-process.js';

let root: string;
const at = (...names: string[]) => join(root, ...names);

describe('tacet store restore --log', () => {
  let contribution: string;
  let logKey: KeyObject;
  let entries: LogEntry[];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tacet-restore-'));
    const store = await Store.open(at('store'));
    contribution = (await (await Giver.of(store)).give(1)).id;
    logKey = store.logKey;
    await backupStore(store, at('backup'));
    entries = await allOf(store.log.all());
    await store.close();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  afterEach(() => rmSync(at('restored'), { recursive: true, force: true }));

  /** A copy of the log that goes on with a withdrawal, under these keys. */
  async function writeLog(signer: KeyObject, named: KeyObject = signer): Promise<string> {
    const last = entries[entries.length - 1];
    const withdrawal = {
      sequence: last.sequence + 1,
      time: new Date().toISOString(),
      action: 'contribution-withdrawn',
      subject: contribution,
      details: {},
      previous: last.hash,
    };
    const all = [...entries, { ...withdrawal, hash: hashOf(withdrawal) }];
    const { sequence, hash, time } = all[all.length - 1];
    await writeLogCopy(at('log.jsonl'), {
      publicKey: Buffer.from(rawPublicKey(named)).toString('base64'),
      head: signLogHead({ sequence, hash, time }, signer),
      entries: all,
    });
    return at('log.jsonl');
  }

  const restore = (log: string, ...more: string[]) =>
    tacet(
      ...['store', 'restore', '--backup', at('backup'), '--data', at('restored')],
      ...['--log', log, ...more],
    );
  const stranger = generateKeyPairSync('ed25519').privateKey;

  test('follows a log that the key of the backup signed', async () => {
    const { stdout } = await restore(await writeLog(logKey));
    expect(stdout).toMatch(`withdrawn again ${contribution}\n`);
  });

  test('refuses one that a stranger continued and signed, and restores nothing', async () => {
    const { code, stderr } = await restore(await writeLog(stranger));
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^tacet: key-untrusted: .* signed by key .* another server/),
    });
    expect(existsSync(at('restored'))).toBe(false);
  });

  test("refuses a stranger's signature under the name of the right key", async () => {
    const { code } = await restore(await writeLog(stranger, logKey));
    expect(code).toBe(4);
    expect(existsSync(at('restored'))).toBe(false);
  });

  test('wants the key where the backup holds none', async () => {
    const keyFile = at('public.pem');
    copyFileSync(at('store', 'log-key', 'public.pem'), keyFile);
    rmSync(at('backup', 'log-key'), { recursive: true });
    const log = await writeLog(logKey);
    expect((await restore(log)).stderr).toMatch(/^tacet: key-untrusted: .*--log-key/);
    expect((await restore(log, '--log-key', keyFile)).stdout).toMatch('withdrawn again');
  });
});

test('tacet store restore --lost wants a log that reaches past the backup', async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-restore-lost-'));
  const store = await Store.open(at('store'));
  await store.tokens.create({ role: 'admin', name: 'operator' });
  await store.catalog.copyTo(at('older.db'));
  const { id } = await store.tokens.create({ role: 'institution', name: 'north' });
  await backupStore(store, at('backup'));
  await store.tokens.revoke(id);
  await store.close();
  const other = await Store.open(at('other'));
  await other.tokens.create({ role: 'admin', name: 'operator' });
  await other.close();
  const restore = (lost: string) =>
    tacet(
      ...['store', 'restore', '--backup', at('backup'), '--data', at('restored')],
      ...['--lost', at(lost)],
    );
  expect((await restore('other')).stderr).toMatch(/^tacet: conflict: the log lacks entry 2, /);
  expect(existsSync(at('restored'))).toBe(false);
  expect((await restore('store')).stdout).toMatch(`revoked again ${id}\n`);
  rmSync(at('restored'), { recursive: true });
  copyFileSync(at('older.db'), at('store', 'catalog.db'));
  expect((await restore('store')).stderr).toMatch(/^tacet: store-damaged: .* give --log, /);
  expect(existsSync(at('restored'))).toBe(false);
  rmSync(root, { recursive: true, force: true });
});

describe('a store whose catalog does not fit its blobs', () => {
  let segment: string;
  const blob = () => at('store', 'blobs', segment.slice(0, 2), segment);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'tacet-catalog-'));
    const store = await Store.open(at('store'));
    const north = await Giver.of(store);
    await store.catalog.copyTo(at('older.db'));
    ({ segment } = await north.give(1));
    await store.close();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const serve = () => tacet('serve', '--data', at('store'), '--port', '0', '--log-level', 'warn');

  test('is not served without one, and the blobs stay', async () => {
    rmSync(at('store', 'catalog.db'));
    expect((await serve()).stderr).toMatch(
      /^tacet: store-damaged: .*catalog.db is missing or empty.*tacet store restore/,
    );
    expect(existsSync(blob())).toBe(true);
    expect(existsSync(at('store', 'catalog.db'))).toBe(false);
  });

  test('is not served with an older one, but makes a store of what that names', async () => {
    copyFileSync(at('older.db'), at('store', 'catalog.db'));
    expect((await serve()).stderr).toMatch(/^tacet: store-damaged: .*older copy/);
    expect(existsSync(blob())).toBe(true);
    const verified = await tacet('store', 'verify', '--data', at('store'));
    expect(verified.stdout).toMatch(/catalog older than this store: it lacks entry \d+ of the log/);
    expect(verified.stdout).toMatch(`named by nothing ${segment}`);
    const restored = await tacet(
      ...['store', 'restore', '--backup', at('store'), '--data', at('new'), '--nothing-later'],
    );
    expect(restored.code).toBe(0);
  });

  test('shows orphans with their bytes, and erases them where that is asked for', async () => {
    const digest = 'cd'.repeat(32);
    mkdirSync(at('store', 'orphans'));
    writeFileSync(at('store', 'orphans', digest), 'bytes');
    const verify = (...more: string[]) => tacet('store', 'verify', '--data', at('store'), ...more);
    expect(await verify()).toEqual(
      expect.objectContaining({
        code: 0,
        stdout: expect.stringMatching(`put aside in orphans/ ${digest}\n1 orphans, 5 bytes`),
      }),
    );
    await verify('--remove-orphans');
    expect((await verify()).stdout).not.toMatch('orphans');
    expect(existsSync(blob())).toBe(true);
  });
});

test('tacet store verify reads the catalog of a backup, whichever the environment names for the server', async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-verify-backup-'));
  const store = await Store.open(at('store'));
  await (await Giver.of(store)).give(1);
  await backupStore(store, at('backup'));
  await store.close();
  const elsewhere = 'postgres://tacet@127.0.0.1:1/tacet';
  const verify = (name: string, ...more: string[]) =>
    tacet('store', 'verify', '--data', at(name), ...more);
  const unreachable = expect.stringMatching(/^tacet: catalog-unreachable/);
  process.env.TACET_SERVE_CATALOG = elsewhere;
  try {
    expect((await verify('backup')).stdout).toMatch(/^1 blobs, .*\ncatalog ok\nlog ok\n$/s);
    expect((await verify('store')).stderr).toEqual(unreachable);
  } finally {
    delete process.env.TACET_SERVE_CATALOG;
  }
  expect((await verify('backup', '--catalog', elsewhere)).stderr).toEqual(unreachable);
  rmSync(root, { recursive: true, force: true });
});

test('tacet store copy says what it copied and read back, and takes a backup only on a word', async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copy-'));
  const store = await Store.open(at('store'));
  await (await Giver.of(store)).give(1);
  await backupStore(store, at('backup'));
  const { sequence } = await store.log.head();
  await store.close();
  const copy = (...words: string[]) => tacet('store', 'copy', ...words);
  const said = await copy(at('store'), at('copy'));
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(
    /^1 blobs, \d+ bytes, 1 of them copied now: each was read back and has its digest\n\d+ records, read back and the same; /,
  );
  expect(said.stdout).toMatch(new RegExp(`the log is whole up to entry ${sequence}\n$`));
  expect(await copy(at('backup'), at('other'))).toEqual(
    expect.objectContaining({
      code: 2,
      stderr: expect.stringMatching(/^tacet: usage: .*is a backup.*--nothing-later/),
    }),
  );
  expect((await copy(at('backup'), at('other'), '--nothing-later')).code).toBe(0);
  expect(await copy(at('nowhere'), at('else'))).toEqual(
    expect.objectContaining({ code: 3, stderr: expect.stringMatching(/^tacet: file-not-found/) }),
  );
  const json = await tacet('--json', 'store', 'copy', at('store'), at('copy'));
  expect(JSON.parse(json.stdout)).toEqual(
    expect.objectContaining({ sequence, blobs: 1, copied: 0, damaged: [], isServed: false }),
  );
  rmSync(root, { recursive: true, force: true });
});

test('tacet store log-key has a store take the key that is named, and says so in the log', async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-log-key-'));
  const first = await openServedStore(at('store'), { cacheBytes: 1 });
  await first.close();
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(at('key.pem'), pem, { mode: 0o600 });
  const named = ['--data', at('store'), '--log-key', at('key.pem')];
  const refused = await tacet('serve', ...named, '--port', '0', '--log-level', 'warn');
  expect(refused).toEqual(
    expect.objectContaining({
      code: 2,
      stderr: expect.stringMatching(/^tacet: config-invalid: logKey/),
    }),
  );
  const { stdout } = await tacet('store', 'log-key', ...named);
  expect(stdout).toBe(`the log is signed by key ${keyIdOf(privateKey)}\n`);
  const store = await openServedStore(at('store'), { cacheBytes: 1, logKey: privateKey });
  expect((await allOf(store.log.all())).map(({ action }) => action)).toEqual(['log-key-changed']);
  await store.close();
  rmSync(root, { recursive: true, force: true });
});
