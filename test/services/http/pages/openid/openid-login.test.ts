import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Servers } from '../../../../../services/cli/servers.js';
import { OpenIdProvider } from '../../../../../services/http/pages/openid/openid-provider.js';
import { openStore } from '../../../../pool-store/opened-store.js';
import { createWorld, serve, type World } from '../../../world.js';
import { type BrowserLike, browserLike, cookieOf, statusesOf } from '../browser-like.js';
import { testSiteInBrowser } from '../site-in-browser.js';
import { type AccountProvider, CLIENT, startAccountProvider } from './account-provider.js';

let world: World;
let servers: Servers;
let accounts: AccountProvider;
let url: string;

const providerOf = ({ issuer }: AccountProvider) =>
  new OpenIdProvider({
    ...{ issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
    ...{ roleClaim: 'groups', nameClaim: 'preferred_username' },
    roles: [
      { role: 'admin', value: 'tacet-operators' },
      { role: 'institution', value: 'tacet-hospitals' },
    ],
  });

beforeAll(async () => {
  world = await createWorld();
  accounts = await startAccountProvider();
  servers = await serve(world, { openId: providerOf(accounts) });
  url = servers.addresses.registry ?? '';
});
afterAll(async () => {
  await servers.close();
  accounts.close();
  world.remove();
});
beforeEach(() => {
  accounts.claims = { groups: ['staff', 'tacet-hospitals'], preferred_username: 'st-mary' };
  accounts.forged = {};
});

/** Goes to the provider and back, as a browser is led. */
async function comeBack(browser: BrowserLike, to = '/models'): Promise<Response> {
  const away = await browser.open(`/login/elsewhere?to=${encodeURIComponent(to)}`);
  expect(away.status).toBe(303);
  const answer = await fetch(away.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return browser.open(back.pathname + back.search);
}

test('makes a token that expires, of the role and the name that the account has', async () => {
  const browser = browserLike(url);
  const back = await comeBack(browser);
  expect(back.status).toBe(200);
  expect(await back.text()).toContain('content="0; url=/models"');
  const [, session] = back.headers.getSetCookie();
  expect(session).toMatch(/^tacet-registry=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(await (await browser.open('/models')).text()).toContain('st-mary, institution');
  const store = await openStore(world.data);
  const token = (await store.tokens.list()).find(({ name }) => name === 'st-mary');
  expect(token?.role).toBe('institution');
  expect(Date.parse(token?.expires ?? '') - Date.now()).toBeGreaterThan(9 * 3_600_000);
  expect(Date.parse(token?.expires ?? '') - Date.now()).toBeLessThan(11 * 3_600_000);
  await store.close();
});

test.each([
  ['without a role', { groups: ['staff'] }, {}, 403],
  ['without a name', { preferred_username: undefined }, {}, 403],
  ['with a name that is none', { preferred_username: '<script>' }, {}, 403],
  ['by another issuer', {}, { iss: 'https://other.example' }, 401],
  ['for another service', {}, { aud: 'other' }, 401],
  ['that has expired', {}, { exp: 1 }, 401],
  ['of another login', {}, { nonce: 'other' }, 401],
])('refuses an account %s', async (_how, claims, forged, status) => {
  accounts.claims = { ...accounts.claims, ...claims };
  accounts.forged = forged;
  const browser = browserLike(url);
  const back = await comeBack(browser);
  expect(back.status).toBe(status);
  expect(await back.text()).not.toContain('<script>');
  expect((await browser.open('/models')).status).toBe(303);
});

test('takes an answer once, and only in the browser that asked', async () => {
  const browser = browserLike(url);
  const away = await browser.open('/login/elsewhere');
  const answer = await fetch(away.headers.get('location') ?? '', { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('location') ?? '');
  expect((await browserLike(url).open(pathname + search)).status).toBe(401);
  expect((await browser.open(pathname + search)).status).toBe(200);
  expect((await browser.open(pathname + search)).status).toBe(401);
});

test('gives the browser no token, but a session that logging out ends', async () => {
  const browser = browserLike(url);
  await comeBack(browser);
  const value = cookieOf(browser, 'tacet-registry');
  const statuses = () => statusesOf(url, ['/models', '/v1/models'], 'tacet-registry', value);
  expect(await statuses()).toEqual([200, 401]);
  await browser.submit('/logout', {});
  expect(await statuses()).toEqual([303, 401]);
});

test('leads nowhere but on this site', async () => {
  const back = await comeBack(browserLike(url), 'https://other.example/');
  expect(await back.text()).toContain('content="0; url=/"');
});

test('asks the provider only so often for one address', async () => {
  const own = await serve(await createWorld(), { openId: providerOf(accounts) });
  const browser = browserLike(own.addresses.registry ?? '');
  const statuses = new Set<number>();
  for (let i = 0; i < 70; i++) statuses.add((await browser.open('/login/elsewhere')).status);
  expect([...statuses]).toEqual([303, 429]);
  await own.close();
});

testSiteInBrowser('leads to the provider and back in a browser', async (visit) => {
  const { page, complaints } = await visit(`${url}/models`);
  await page.getByRole('link', { name: 'Log in with your house’s account' }).click();
  await page.waitForURL('**/models');
  expect(await page.getByText('st-mary, institution').count()).toBe(1);
  expect(complaints).toEqual([]);
});
