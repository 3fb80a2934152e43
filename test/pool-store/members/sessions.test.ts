import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { MOST_SESSIONS } from '../../../pool-store/members/sessions.js';
import { Store } from '../../../pool-store/store.js';
import { changeRows } from '../changed-rows.js';
import { openStore } from '../opened-store.js';

let root: string;
let store: Store;
let other: Store;
let token: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-sessions-'));
  const directory = join(root, 'store');
  store = await openStore(directory);
  other = await openStore(directory);
  ({ token } = await store.tokens.create({ role: 'auditor', name: 'audrey' }));
});
afterEach(async () => {
  for (const each of [store, other]) await each.close();
  rmSync(root, { recursive: true, force: true });
});

const rowsOf = ({ catalog }: Store) => catalog.read.selectFrom('sessions').selectAll().execute();

test('a session begins and ends on every server of the catalog', async () => {
  const id = await store.sessions.begin('pool', token);
  expect(await other.sessions.find('pool', id)).toEqual(await store.tokens.find(token));
  await other.sessions.end('pool', id);
  expect(await store.sessions.find('pool', id)).toBeUndefined();
});

test('neither its id nor the secret of its token lies in the catalog', async () => {
  const id = await store.sessions.begin('pool', token);
  const [, secret] = token.split('.');
  const stored = JSON.stringify(await rowsOf(store));
  for (const text of [id, token, secret]) expect(stored).not.toContain(text);
});

test('a session is of one service', async () => {
  const id = await store.sessions.begin('pool', token);
  await store.sessions.end('registry', id);
  expect(await store.sessions.find('registry', id)).toBeUndefined();
  expect(await store.sessions.find('pool', id)).toBeDefined();
});

test('a session that was begun with a former secret of its token is none', async () => {
  const { id } = (await store.tokens.find(token)) ?? { id: '' };
  const rotated = await store.tokens.rotate(id);
  const late = await store.sessions.begin('pool', token);
  expect(await store.sessions.find('pool', late)).toBeUndefined();
  const session = await store.sessions.begin('pool', rotated.token);
  expect((await store.sessions.find('pool', session))?.id).toBe(id);
  await expect(store.sessions.begin('pool', 'no token')).rejects.toEqual(
    expect.objectContaining({ code: 'unauthorized' }),
  );
});

test('a session whose time is up is none, and its row goes at the next login', async () => {
  const id = await store.sessions.begin('pool', token);
  await changeRows(store.catalog, sql`UPDATE sessions SET ends = '2020-01-01T00:00:00.000Z'`);
  expect(await store.sessions.find('pool', id)).toBeUndefined();
  await store.sessions.begin('pool', token);
  expect(await rowsOf(store)).toHaveLength(1);
});

test('beyond the most of a token its oldest session ends, and nobody else’s', async () => {
  const second = await store.tokens.create({ role: 'admin', name: 'operator' });
  const kept = await store.sessions.begin('pool', second.token);
  const oldest = await store.sessions.begin('pool', token);
  await changeRows(
    store.catalog,
    sql`UPDATE sessions SET begun = '2020-01-01T00:00:00.000Z' WHERE token <> ${second.id}`,
  );
  for (let i = 1; i < MOST_SESSIONS; i++) await store.sessions.begin('pool', token);
  expect(await store.sessions.find('pool', oldest)).toBeDefined();
  await store.sessions.begin('pool', token);
  expect(await store.sessions.find('pool', oldest)).toBeUndefined();
  expect(await store.sessions.find('pool', kept)).toBeDefined();
  expect(await rowsOf(store)).toHaveLength(MOST_SESSIONS + 1);
});

test('sessions are in no log and in no backup', async () => {
  const head = await store.log.head();
  await store.sessions.begin('pool', token);
  expect(await store.log.head()).toEqual(head);
  await backupStore(store, join(root, 'backup'));
  const copy = await Store.open(join(root, 'backup'));
  expect(await rowsOf(copy)).toEqual([]);
  await copy.close();
});
