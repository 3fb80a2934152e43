import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../../pool-store/catalog/kysely.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { trustedProxies } from '../../../../services/http/client-address.js';
import { changeRows } from '../../../pool-store/changed-rows.js';
import { openStore } from '../../../pool-store/opened-store.js';
import { createWorld, serve, type World } from '../../world.js';
import { browserLike, cookieOf, loggedIn, statusesOf } from './browser-like.js';

let world: World;
let servers: Servers;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  url = servers.addresses.registry ?? '';
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const enter = (token: string) => loggedIn(url, token);

describe('whoever has not logged in', () => {
  test('is asked to, and goes on where they wanted to be', async () => {
    const browser = browserLike(url);
    const asked = await browser.open('/models?search=a%26b');
    expect(asked.status).toBe(303);
    const login = asked.headers.get('location') ?? '';
    expect(login).toBe('/login?to=%2Fmodels%3Fsearch%3Da%2526b');
    expect(await (await browser.open(login)).text()).toContain('value="/models?search=a%26b"');
    const entered = await browser.submit('/login', {
      token: world.tokens.institution,
      to: '/models?search=a%26b',
    });
    expect([entered.status, entered.headers.get('location')]).toEqual([
      303,
      '/models?search=a%26b',
    ]);
    expect((await browser.open('/models')).status).toBe(200);
  });

  test.each([
    'https://other.example',
    '//other.example',
    '/\\other.example',
    'javascript:alert(1)',
  ])('is not led away to %s', async (to) => {
    const entered = await browserLike(url).submit('/login', { token: world.tokens.admin, to });
    expect(entered.headers.get('location')).toBe('/');
  });

  test('is told that the token begins a session, and that no cookie holds it', async () => {
    const page = (await (await browserLike(url).open('/login')).text()).replaceAll(/\s+/g, ' ');
    expect(page).toContain('It begins a session, which ends after ten hours at the latest.');
    expect(page).toContain('holds nothing of the token');
  });

  test('is told that a token is not valid, and gets no cookie', async () => {
    const refused = await browserLike(url).submit('/login', {
      token: `${'0'.repeat(16)}.nonsense`,
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    const markup = await refused.text();
    expect(markup).toContain('not valid');
    expect(markup).not.toContain('nonsense');
  });
});

describe('a cookie', () => {
  test('is of this session, of this site, and no script can read it', async () => {
    const entered = await browserLike(url).submit('/login', { token: world.tokens.admin });
    const [cookie] = entered.headers.getSetCookie();
    expect(cookie).toMatch(/^tacet-registry=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('is bound to this host and to TLS where a trusted proxy speaks that', async () => {
    const own = await createWorld();
    const behind = await serve(own, {
      proxies: { trusted: trustedProxies('127.0.0.1'), header: 'x-forwarded-for' },
    });
    const browser = browserLike(behind.addresses.registry ?? '');
    const headers = { 'X-Forwarded-Proto': 'https' };
    const entered = await browser.submit('/login', { token: own.tokens.admin }, headers);
    const [cookie] = entered.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-tacet-registry=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    // Without TLS the same cookie is nobody's.
    expect((await browser.open('/models')).status).toBe(303);
    await behind.close();
    own.remove();
  });

  test('is worth nothing to the interface for programs', async () => {
    const browser = await enter(world.tokens.admin);
    expect((await browser.open('/v1/models')).status).toBe(401);
  });

  test('is forgotten when its holder logs out, or its token is revoked', async () => {
    const browser = await enter(world.tokens.consumer);
    await browser.submit('/logout', {});
    expect((await browser.open('/models')).status).toBe(303);
    const store = await openStore(world.data);
    const { id, token } = await store.tokens.create({ role: 'consumer', name: 'brief' });
    const other = await enter(token);
    expect((await other.open('/models')).status).toBe(200);
    await store.tokens.revoke(id);
    await store.close();
    expect((await other.open('/models')).status).toBe(303);
    expect(other.cookies.size).toBe(0);
  });
});

describe('what a cookie holds', () => {
  const NAME = 'tacet-registry';
  const PATHS = ['/models', '/v1/models'] as const;
  const statuses = (value: string) => statusesOf(url, PATHS, NAME, value);

  test('is not the token, names no part of it, and is no token of the interface', async () => {
    const browser = await enter(world.tokens.admin);
    const value = cookieOf(browser, NAME);
    for (const part of [world.tokens.admin, ...world.tokens.admin.split('.')])
      expect(value).not.toContain(part);
    expect(await statuses(value)).toEqual([200, 401]);
    // Nor is a token a cookie.
    expect((await statuses(world.tokens.admin))[0]).toBe(303);
  });

  test('is new at each login, and tells one session from another', async () => {
    const [one, other] = [await enter(world.tokens.admin), await enter(world.tokens.admin)];
    const [kept, left] = [cookieOf(one, NAME), cookieOf(other, NAME)];
    expect(kept).not.toBe(left);
    await other.submit('/logout', {});
    expect(await statuses(left)).toEqual([303, 401]);
    expect(await statuses(kept)).toEqual([200, 401]);
  });

  test('is worth nothing once its token has a new secret, has expired or was revoked', async () => {
    const store = await openStore(world.data);
    const { tokens } = store;
    const brief = async () => {
      const made = await tokens.create({ role: 'consumer', name: 'brief' });
      return { id: made.id, value: cookieOf(await enter(made.token), NAME) };
    };
    const [rotated, revoked, expired] = [await brief(), await brief(), await brief()];
    for (const { value } of [rotated, revoked, expired])
      expect(await statuses(value)).toEqual([200, 401]);
    await tokens.rotate(rotated.id);
    await tokens.revoke(revoked.id);
    await changeRows(
      store.catalog,
      sql`UPDATE tokens SET expires = '2020-01-01T00:00:00.000Z' WHERE id = ${expired.id}`,
    );
    for (const { value } of [rotated, revoked, expired])
      expect(await statuses(value)).toEqual([303, 401]);
    await store.close();
  });

  test('opens no pages of another service of the store', async () => {
    const value = cookieOf(await enter(world.tokens.admin), NAME);
    const pool = servers.addresses.pool ?? '';
    const there = await statusesOf(pool, ['/', '/v1/snapshots'], 'tacet-pool', value);
    expect(there).toEqual([303, 401]);
  });
});

describe('a form', () => {
  test.each([
    ['another site', 'https://other.example'],
    ['a page without an origin', 'null'],
    ['another port', 'http://127.0.0.1:1'],
  ])('from %s is refused', async (_whose, origin) => {
    const browser = await enter(world.tokens.admin);
    for (const path of ['/login', '/logout']) {
      const answer = await browser.submit(path, { token: world.tokens.admin }, { Origin: origin });
      expect(answer.status).toBe(403);
    }
    expect((await browser.open('/models')).status).toBe(200);
  });

  test('without an origin is refused', async () => {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ token: world.tokens.admin }),
      redirect: 'manual',
    });
    expect(answer.status).toBe(403);
  });
});

describe('every page', () => {
  test('lets nothing in from elsewhere, and is kept by nobody', async () => {
    const browser = await enter(world.tokens.admin);
    for (const path of ['/models', '/login', '/nowhere']) {
      const { headers } = await browser.open(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is refused to tokens of other roles, in words', async () => {
    const browser = await enter(world.tokens.monitor);
    const answer = await browser.open('/models');
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('this needs the role');
  });

  test('loads a stylesheet that browsers may keep', async () => {
    const browser = await enter(world.tokens.admin);
    const markup = await (await browser.open('/models')).text();
    const path = /<link rel="stylesheet" href="([^"]+)"/.exec(markup)?.[1] ?? '';
    const style = await browser.open(path);
    expect(style.headers.get('content-type')).toContain('text/css');
    expect(style.headers.get('cache-control')).toContain('immutable');
    expect((await browser.open('/assets/0000000000000000/page.css')).status).toBe(404);
  });

  test('that is not there is said to be not there, to programs in their way', async () => {
    const browser = await enter(world.tokens.admin);
    expect(await (await browser.open('/nowhere')).text()).toContain('<h1>');
    const answer = await fetch(`${url}/nowhere`);
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as { code: string }).code).toBe('route-unknown');
  });
});

test('what anyone may send to log in is short', async () => {
  const answer = await browserLike(url).submit('/login', { token: 'x'.repeat(30_000) });
  expect(answer.status).toBe(413);
});

test('guesses of a token are limited', async () => {
  const own = await serve(await createWorld(), {
    limits: {
      ...(await import('../../../../services/http/limits.js')).DEFAULT_LIMITS,
      requestsPerMinute: 3,
    },
  });
  const browser = browserLike(own.addresses.registry ?? '');
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++)
    statuses.push((await browser.submit('/login', { token: `guess-${i}` })).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  await own.close();
});
