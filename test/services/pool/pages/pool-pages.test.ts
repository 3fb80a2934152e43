import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../../../pool-store/members/tokens.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { openStore } from '../../../pool-store/opened-store.js';
import { loggedIn } from '../../http/pages/browser-like.js';
import { serve } from '../../world.js';
import { type FurnishedPool, furnishPool } from './furnished-pool.js';

let pool: FurnishedPool;
let servers: Servers;
let url: string;

beforeAll(async () => {
  pool = await furnishPool();
  servers = await serve(pool.world);
  url = servers.addresses.pool ?? '';
});
afterAll(async () => {
  await servers.close();
  pool.world.remove();
});

const NOBODY = '0'.repeat(64);

/** A page, and what of the interface for programs tells the same. */
const reads = (): [page: string, route: string][] => {
  const { own, foreign, snapshots } = pool;
  const { gone, replaced, kept } = snapshots;
  return [
    ['/', '/v1/statistics'],
    ['/contributions', '/v1/contributions'],
    ...[own.replaced, own.kept, own.copied, own.withdrawn, foreign].map(
      ({ id }): [string, string] => [`/contributions/${id}`, `/v1/contributions/${id}`],
    ),
    [`/contributions/${NOBODY}`, `/v1/contributions/${NOBODY}`],
    ['/snapshots', '/v1/snapshots'],
    [`/snapshots/${replaced.id}`, `/v1/snapshots/${replaced.id}`],
    [`/snapshots/${kept.id}`, `/v1/snapshots/${kept.id}`],
    // What it held is told, as its training runs are; its sentences are gone.
    [`/snapshots/${gone.id}`, `/v1/snapshots/${gone.id}/runs`],
    [`/snapshots/${NOBODY}`, `/v1/snapshots/${NOBODY}`],
    [`/snapshots/${gone.id}/diff/${kept.id}`, `/v1/snapshots/${gone.id}/diff/${kept.id}`],
    [`/snapshots/${gone.id}/diff/${NOBODY}`, `/v1/snapshots/${gone.id}/diff/${NOBODY}`],
  ];
};

const as = (role: Role) => loggedIn(url, pool.world.tokens[role]);
const statusOf = async (role: Role, route: string, method = 'GET', body?: unknown) => {
  const { status } = await fetch(url + route, {
    method,
    headers: {
      Authorization: `Bearer ${pool.world.tokens[role]}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return status;
};

describe.each(ROLES)('to the role %s', (role) => {
  test('every page answers as the interface for programs does', async () => {
    const browser = await as(role);
    for (const [page, route] of reads()) {
      const { status } = await browser.open(page);
      expect([page, status]).toEqual([page, await statusOf(role, route)]);
    }
  });

  test('every form that would be refused is refused alike', async () => {
    const browser = await as(role);
    const withdrawn = await browser.submit(`/contributions/${NOBODY}/withdraw`, {});
    expect(withdrawn.status).toBe(await statusOf(role, `/v1/contributions/${NOBODY}`, 'DELETE'));
    const fields = { model: NOBODY, entities: '', institutions: '', from: '', until: '' };
    const created = await browser.submit('/snapshots', fields);
    expect(created.status).toBe(await statusOf(role, '/v1/snapshots', 'POST', { model: NOBODY }));
  });

  test('pages that change something are for those who may', async () => {
    const browser = await as(role);
    const { own, foreign } = pool;
    const status = async (path: string) => (await browser.open(path)).status;
    const withdraws = role === 'admin' || role === 'institution';
    expect(await status(`/contributions/${own.kept.id}/withdraw`)).toBe(withdraws ? 200 : 403);
    const others = { admin: 200, institution: 404 }[role as string] ?? 403;
    expect(await status(`/contributions/${foreign.id}/withdraw`)).toBe(others);
    expect(await status('/snapshots/new')).toBe(
      role === 'admin' || role === 'consumer' ? 200 : 403,
    );
    expect(await status('/quotas')).toBe(role === 'admin' ? 200 : 403);
  });
});

describe('an institution', () => {
  const opened = async (path: string) => (await (await as('institution')).open(path)).text();

  test('sees its own contributions and no one else by name', async () => {
    const markup = await opened('/contributions');
    for (const { id } of Object.values(pool.own)) expect(markup).toContain(`/contributions/${id}`);
    expect(markup).not.toContain(pool.foreign.id);
    expect(markup).not.toContain('north-general');
  });

  test('reads the three statements apart', async () => {
    const replaced = await opened(`/contributions/${pool.own.copied.id}`);
    expect(replaced).toContain('right by chance, exactly, by construction');
    expect(replaced).toContain('The words around them, which are the rest of the text, may tell');
    expect(replaced).not.toMatch(/nothing here tells|who guesses/i);
    expect(replaced).toContain('these notes left in 3');
    const kept = await opened(`/contributions/${pool.own.kept.id}`);
    expect(kept).toContain('certified a limit of 60.0 %');
    expect(kept).not.toContain('by construction');
    for (const markup of [replaced, kept]) expect(markup).toContain('measured by audits');
  });

  test('learns which models learned from what it gave, without a way to snapshots', async () => {
    const markup = await opened(`/contributions/${pool.own.replaced.id}`);
    expect(markup).toContain('pooled 1.1.0, by consumer');
    expect(markup).not.toContain('href="/snapshots');
  });

  test('is told by the interface for programs what the page tells', async () => {
    const answer = await fetch(`${url}/v1/contributions/${pool.own.replaced.id}`, {
      headers: { Authorization: `Bearer ${pool.world.tokens.institution}` },
    });
    const { uses } = (await answer.json()) as { uses: { runs: { version: string }[] }[] };
    expect(uses.flatMap(({ runs }) => runs.map(({ version }) => version)).sort()).toEqual([
      '1.0.0',
      '1.1.0',
    ]);
  });

  test('sees how much of its quota is used', async () => {
    expect(await opened('/')).toContain('of 107.4 GB');
  });
});

describe('contributions', () => {
  test('are chosen by state and by model', async () => {
    const browser = await as('admin');
    const listed = async (query: string) =>
      (await (await browser.open(`/contributions?${query}`)).text()).match(
        /href="\/contributions\/[0-9a-f]{64}"/g,
      )?.length ?? 0;
    expect(await listed('state=withdrawn&model=')).toBe(1);
    expect(await listed('state=kept')).toBe(6);
    expect(await listed(`model=${'ab'.repeat(32)}`)).toBe(7);
    expect(await listed(`model=${NOBODY}`)).toBe(0);
    expect((await browser.open('/contributions?state=other')).status).toBe(400);
    expect((await browser.open('/contributions?page=0')).status).toBe(400);
  });
});

describe('a snapshot', () => {
  test('is created by a form', async () => {
    const browser = await as('consumer');
    const made = await browser.submit('/snapshots', {
      model: '',
      entities: 'replaced',
      institutions: 'north-general, south-valley-childrens-hospital',
      from: '2020-01-01',
      until: '',
    });
    expect(made.status).toBe(303);
    const markup = await (await browser.open(made.headers.get('location') ?? '')).text();
    expect(markup).toContain('south-valley-childrens-hospital');
    expect(markup).toContain(`tacet train pooled --pool ${url} --snapshot`);
  });

  test('of several treatments of entities is refused in words', async () => {
    const browser = await as('consumer');
    const fields = { model: '', entities: '', institutions: '', from: '', until: '' };
    const refused = await browser.submit('/snapshots', fields);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('a snapshot has one entities');
  });

  test('that is gone says what was withdrawn, and does not say how to train on it', async () => {
    const markup = await (
      await (await as('auditor')).open(`/snapshots/${pool.snapshots.gone.id}`)
    ).text();
    expect(markup).toContain('answered 410, gone');
    expect(markup).toContain(pool.own.withdrawn.id);
    expect(markup).not.toContain('tacet train');
  });

  test('is compared with another', async () => {
    const { gone, kept } = pool.snapshots;
    const browser = await as('auditor');
    const chosen = await browser.open(`/snapshots/${gone.id}/compare?other=${kept.id}`);
    expect(chosen.headers.get('location')).toBe(`/snapshots/${gone.id}/diff/${kept.id}`);
    const there = await (await browser.open(`/snapshots/${gone.id}/diff/${kept.id}`)).text();
    expect(there).toContain('0 contributions more');
    expect(there).toContain('1 contribution less');
    const back = await (await browser.open(`/snapshots/${kept.id}/diff/${gone.id}`)).text();
    expect(back).toContain('1 contribution more');
  });
});

test('a withdrawal by a page does all that one by a program does', async () => {
  const browser = await as('institution');
  const { id } = pool.own.copied;
  const answer = await browser.submit(`/contributions/${id}/withdraw`, {});
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/contributions/${id}`]);
  const store = await openStore(pool.world.data);
  expect((await store.contributions.get(id)).withdrawn).not.toBeNull();
  for (const { digest } of await store.contributions.segmentsOf(id))
    expect(await store.blobs.size(digest)).toBeUndefined();
  await store.close();
  expect(await statusOf('consumer', `/v1/snapshots/${pool.snapshots.replaced.id}`)).toBe(410);
  expect((await browser.open(`/contributions/${id}/withdraw`)).status).toBe(410);
});
