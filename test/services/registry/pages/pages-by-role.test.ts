import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES } from '../../../../pool-store/members/tokens.js';
import { type BrowserLike, browserLike } from '../../http/pages/browser-like.js';
import { type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';

let registry: FurnishedRegistry;

beforeAll(async () => {
  registry = await furnishRegistry();
});
afterAll(() => registry.close());

const READERS = ['provider', 'institution', 'auditor', 'consumer', 'admin'];
const OWNERS = ['provider', 'admin'];
const MODEL = '/models/letters/2.0.0';

/** Each page with those who may see it; `rival` is a provider with other names. */
const PAGES: readonly (readonly [path: string, who: readonly string[]])[] = [
  ['/models', [...READERS, 'rival']],
  ['/models?search=letters&page=2', [...READERS, 'rival']],
  [MODEL, [...READERS, 'rival']],
  ['/models/lector/1.0.0', [...READERS, 'rival']],
  [`${MODEL}/audits`, [...READERS, 'rival']],
  [`${MODEL}/audits/AUDIT`, [...READERS, 'rival']],
  ['/models/letters/compare/1.1.0/2.0.0', [...READERS, 'rival']],
  ['/audits', [...READERS, 'rival']],
  [`${MODEL}/deprecate`, OWNERS],
  [`${MODEL}/revoke`, OWNERS],
  [`${MODEL}/alias`, OWNERS],
];
const FORMS = [
  [`${MODEL}/deprecate`, { reason: 'tried' }],
  [`${MODEL}/revoke`, { reason: 'tried' }],
  [`${MODEL}/alias`, { alias: 'tried' }],
] as const;
const EVERYONE = [...ROLES, 'rival'];

const loggedIn = async (who: string): Promise<BrowserLike> => {
  const { tokens } = registry.world;
  const browser = browserLike(registry.url);
  const token = who === 'rival' ? registry.rivalToken : tokens[who as keyof typeof tokens];
  await browser.submit('/login', { token });
  return browser;
};

describe.each(EVERYONE)('whoever is %s', (who) => {
  test.each(PAGES)('sees %s where that is for them', async (path, allowed) => {
    const browser = await loggedIn(who);
    const answer = await browser.open(path.replace('AUDIT', registry.audits[0] as string));
    expect(answer.status).toBe(allowed.includes(who) ? 200 : 403);
    if (!allowed.includes(who)) expect(await answer.text()).not.toContain('SHA-256');
  });

  test('is offered to change a model where they may', async () => {
    const markup = await (await (await loggedIn(who)).open(MODEL)).text();
    expect(markup.includes(`${MODEL}/revoke`)).toBe(OWNERS.includes(who));
  });

  if (!OWNERS.includes(who))
    test.each(FORMS)('changes nothing by %s', async (path, fields) => {
      const browser = await loggedIn(who);
      const { models, log } = registry.store;
      const before = await log.head();
      expect((await browser.submit(path, fields)).status).toBe(403);
      expect((await models.get('letters', '2.0.0')).status).toBe('published');
      expect(await log.head()).toEqual(before);
    });
});

test.each(PAGES)('nobody sees %s without logging in', async (path) => {
  const answer = await browserLike(registry.url).open(path);
  expect([answer.status, answer.headers.get('location')?.startsWith('/login?to=')]).toEqual([
    303,
    true,
  ]);
});

test.each(FORMS)('nobody sends %s without logging in', async (path, fields) => {
  expect((await browserLike(registry.url).submit(path, fields)).status).toBe(401);
});

describe('the publisher', () => {
  test.each(FORMS)('sends no form of another site to %s', async (path, fields) => {
    const browser = await loggedIn('provider');
    const headers = { Origin: 'https://other.example' };
    expect((await browser.submit(path, fields, headers)).status).toBe(403);
    expect((await registry.store.models.get('letters', '2.0.0')).status).toBe('published');
  });

  test.each([
    ['deprecate', {}],
    ['deprecate', { reason: '' }],
    ['revoke', { reason: 'x'.repeat(1001) }],
    ['revoke', { reason: 'why', more: 'x' }],
    ['alias', { alias: '' }],
    ['alias', { alias: '../up' }],
    ['alias', { alias: '1.2.3' }],
  ])('is refused %s with %j', async (action, fields) => {
    const browser = await loggedIn('provider');
    const answer = await browser.submit(`${MODEL}/${action}`, fields as Record<string, string>);
    expect(answer.status).toBe(400);
    expect((await registry.store.models.get('letters', '2.0.0')).status).toBe('published');
  });

  test('deprecates, sets an alias and revokes, each answered with the model', async () => {
    const { models } = registry.store;
    const browser = await loggedIn('provider');
    for (const [action, fields] of [
      ['deprecate', { reason: 'a better one is there' }],
      ['alias', { alias: 'kept' }],
      ['revoke', { reason: 'it leaks' }],
    ] as const) {
      const answer = await browser.submit(`${MODEL}/${action}`, fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, MODEL]);
    }
    expect(await models.get('letters', 'kept')).toEqual(
      expect.objectContaining({ version: '2.0.0', status: 'revoked', reason: 'it leaks' }),
    );
    expect((await browser.submit(`${MODEL}/deprecate`, { reason: 'less' })).status).toBe(409);
    expect((await browser.open(`${MODEL}/revoke`)).headers.get('location')).toBe(MODEL);
  });
});
