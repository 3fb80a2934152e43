import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../../../../pool-store/members/tokens.js';
import { KEY_DIRECTORY, type Store } from '../../../../../pool-store/store.js';
import type { Servers } from '../../../../../services/cli/servers.js';
import { openStore } from '../../../../pool-store/opened-store.js';
import { type FurnishedPool, furnishPool } from '../../../pool/pages/furnished-pool.js';
import { serve } from '../../../world.js';
import { loggedIn } from '../browser-like.js';

let pool: FurnishedPool;
let servers: Servers;

beforeAll(async () => {
  pool = await furnishPool();
  servers = await serve(pool.world);
});
afterAll(async () => {
  await servers.close();
  pool.world.remove();
});

const NOBODY = '0'.repeat(64);
const inStore = async <T>(read: (store: Store) => T | Promise<T>): Promise<T> => {
  const store = await openStore(pool.world.data);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};

test('the key that signs the log is there before anybody asks, for backups to hold it', () => {
  expect(existsSync(join(pool.world.data, KEY_DIRECTORY, 'public.pem'))).toBe(true);
});

describe.each(['pool', 'registry'] as const)('on the %s', (service) => {
  const url = () => servers.addresses[service] ?? '';
  const as = (role: Role) => loggedIn(url(), pool.world.tokens[role]);
  const statusOf = async (role: Role, route: string, method = 'GET') => {
    const headers = { Authorization: `Bearer ${pool.world.tokens[role]}` };
    return (await fetch(url() + route, { method, headers })).status;
  };

  test.each(ROLES)('the role %s is answered as by the interface for programs', async (role) => {
    const browser = await as(role);
    for (const [page, route] of [
      ['/identities', '/v1/identities'],
      ['/tokens', '/v1/tokens'],
      ['/tokens/new', '/v1/tokens'],
      [`/tokens/${pool.spareToken}/rotate`, '/v1/tokens'],
      [`/tokens/${pool.spareToken}/revoke`, '/v1/tokens'],
      ['/log', '/v1/log'],
      ['/log/entries', '/v1/log'],
      ['/log/head', '/v1/log/head'],
    ]) {
      expect([page, (await browser.open(page)).status]).toEqual([
        page,
        await statusOf(role, route),
      ]);
    }
    for (const [form, route, method] of [
      ['/tokens/none/rotate', '/v1/tokens/none/rotate', 'POST'],
      ['/tokens/none/revoke', '/v1/tokens/none', 'DELETE'],
      [`/identities/${NOBODY}/approve`, `/v1/identities/${NOBODY}/approve`, 'POST'],
      [`/identities/${NOBODY}/revoke`, `/v1/identities/${NOBODY}`, 'DELETE'],
    ]) {
      expect([form, (await browser.submit(form, {})).status]).toEqual([
        form,
        await statusOf(role, route, method),
      ]);
      expect((await browser.open(form)).status).toBe(await statusOf(role, route, method));
    }
    const created = await browser.submit('/tokens', { role: 'admin', name: 'x', expires: 'never' });
    expect(created.status).toBe(role === 'admin' ? 400 : 403);
  });

  test('a token is created, given a new secret and revoked, its secret in one answer alone', async () => {
    const browser = await as('admin');
    const name = `new-${service}`;
    const fields = { role: 'consumer', name, expires: '2999-12-31' };
    const created = await browser.submit('/tokens', fields);
    expect(created.status).toBe(201);
    const first = secretIn(await created.text());
    const { id, expires } = (await inStore(({ tokens }) => tokens.find(first))) ?? {};
    expect(expires).toBe('2999-12-31T00:00:00.000Z');
    const rotated = await browser.submit(`/tokens/${id}/rotate`, {});
    const second = secretIn(await rotated.text());
    expect(await inStore(({ tokens }) => tokens.find(first))).toBeUndefined();
    expect((await inStore(({ tokens }) => tokens.find(second)))?.name).toBe(name);
    for (const path of ['/tokens', `/tokens/${id}/revoke`, '/log', '/log/entries']) {
      const text = await (await browser.open(path)).text();
      for (const secret of [first, second]) expect(text).not.toContain(secret.split('.')[1]);
    }
    const revoked = await browser.submit(`/tokens/${id}/revoke`, {});
    expect(revoked.headers.get('location')).toBe('/tokens');
    expect(await inStore(({ tokens }) => tokens.find(second))).toBeUndefined();
    expect((await browser.open(`/tokens/${id}/revoke`)).status).toBe(404);
  });

  test('a token that would be worth nothing from the start is refused, with what to do', async () => {
    const browser = await as('admin');
    const fields = { role: 'consumer', name: `past-${service}`, expires: '2001-01-01' };
    const refused = await browser.submit('/tokens', fields);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('give a time to come'),
    ]);
  });

  test('whoever revokes the own token is told so before, and logged out', async () => {
    const { id, token } = await inStore(({ tokens }) =>
      tokens.create({ role: 'admin', name: 'brief' }),
    );
    const browser = await loggedIn(url(), token);
    expect(await (await browser.open(`/tokens/${id}/revoke`)).text()).toContain('log in anew');
    await browser.submit(`/tokens/${id}/revoke`, {});
    expect((await browser.open('/tokens')).headers.get('location')).toBe('/login?to=%2Ftokens');
  });

  test('keys stand there in full, and ways to approve them for those alone who may', async () => {
    const { waitingKey } = pool;
    const approval = `/identities/${waitingKey}/approve`;
    const shown = async (role: Role) => (await (await as(role)).open('/identities')).text();
    expect(await shown('institution')).toContain(`>${waitingKey}<`);
    expect(await shown('institution')).not.toContain(approval);
    expect(await shown('admin')).toContain(approval);
  });

  test('the log has pages, and its entries are given as they were hashed', async () => {
    const browser = await as('auditor');
    const head = await inStore(({ log }) => log.head());
    const markup = await (await browser.open('/log')).text();
    expect(markup).toContain(head.hash);
    expect(markup).toContain(`1 – ${Math.min(50, head.sequence)}`);
    const entries = await (await browser.open('/log/entries?after=3')).json();
    expect(entries).toEqual(await inStore(({ log }) => log.entries(3)));
    expect((await browser.open('/log/entries?after=x')).status).toBe(400);
  });
});

test('a key that was approved is not asked about again', async () => {
  const browser = await loggedIn(servers.addresses.pool ?? '', pool.world.tokens.admin);
  const path = `/identities/${pool.waitingKey}/approve`;
  expect((await browser.submit(path, {})).headers.get('location')).toBe('/identities');
  expect(
    (await inStore(({ identities }) => identities.get(pool.waitingKey))).approved,
  ).not.toBeNull();
  expect((await browser.open(path)).status).toBe(409);
});

test('a key is revoked by who approves keys, and not asked about again', async () => {
  const path = `/identities/${pool.waitingKey}/revoke`;
  const institution = await loggedIn(servers.addresses.pool ?? '', pool.world.tokens.institution);
  expect((await institution.open(path)).status).toBe(403);
  const browser = await loggedIn(servers.addresses.pool ?? '', pool.world.tokens.admin);
  expect(await (await browser.open(path)).text()).toContain('nothing that this key signs');
  expect((await browser.submit(path, {})).headers.get('location')).toBe('/identities');
  const { revoked } = await inStore(({ identities }) => identities.get(pool.waitingKey));
  expect(revoked).not.toBeNull();
  expect((await browser.open(path)).status).toBe(409);
});

function secretIn(markup: string): string {
  return /<code>([0-9a-f]{16}\.[\w-]{43})<\/code>/.exec(markup)?.[1] ?? '';
}
