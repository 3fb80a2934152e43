import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../pool-store/members/tokens.js';
import { PATHS } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const ROWS = 5;

let world: World;
let servers: Servers;
const given: string[] = [];
const frozen: string[] = [];
const asked: string[] = [];

const as = (role: Role) =>
  new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  for (let i = 0; i < ROWS; i++) {
    const segment = segmentOf(3, 100 + i);
    await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf([segment], world.keys.institution);
    const made = async (role: Role, path: string, body: object) =>
      (await as(role).json<{ id: string }>('POST', path, body)).id;
    given.push(await made('institution', PATHS.contributions, envelope));
    const snapshot = await made('consumer', PATHS.snapshots, {});
    frozen.push(snapshot);
    const job = { snapshot, name: 'pooled', version: `1.0.${i}`, config: {} };
    asked.push(await made('consumer', PATHS.trainingJobs, job));
  }
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

interface Page {
  readonly status: number;
  readonly ids: string[];
  /** The query of the next one. */
  readonly next: string | undefined;
}

async function page(path: string, query: string, role: Role = 'auditor'): Promise<Page> {
  const headers = { Authorization: `Bearer ${world.tokens[role]}` };
  const response = await fetch(`${servers.addresses.pool}${path}${query}`, { headers });
  const { status } = response;
  const body = (await response.json()) as { id: string }[];
  const next = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  return { status, ids: status === 200 ? body.map(({ id }) => id) : [], next };
}

describe.each([
  ['contributions', PATHS.contributions, given],
  ['snapshots', PATHS.snapshots, frozen],
  ['training jobs', PATHS.trainingJobs, asked],
])('the list of %s', (_, path, all) => {
  test('comes a page at a time, each naming the next, the oldest first', async () => {
    const sizes: number[] = [];
    const ids: string[] = [];
    for (let query: string | undefined = '?limit=2'; query !== undefined; ) {
      const found: Page = await page(path, query);
      sizes.push(found.ids.length);
      ids.push(...found.ids);
      query = found.next;
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(ids).toEqual(all);
  });

  test('is one page without a next where it is asked for as before and fits', async () => {
    expect(await page(path, '')).toEqual({ status: 200, ids: all, next: undefined });
    expect((await page(path, `?limit=${ROWS}`)).next).toBeUndefined();
  });

  test('is followed to its end by the client', async () => {
    const rows = await as('auditor').list<{ id: string }>(`${path}?limit=2`);
    expect(rows.map(({ id }) => id)).toEqual(all);
  });

  test.each(['?limit=0', '?limit=1001', '?limit=some', '?cursor=AAAA', '?cursor=.', '?page=2'])(
    'refuses %s',
    async (query) => {
      expect((await page(path, query)).status).toBe(400);
    },
  );
});

test('a page of contributions shows an institution its own alone, also from the place of another', async () => {
  const { next } = await page(PATHS.contributions, '?limit=2');
  expect((await page(PATHS.contributions, next ?? '', 'institution')).ids).toEqual(
    given.slice(2, 4),
  );
  const { token } = await servers.store.tokens.create({ role: 'institution', name: 'another' });
  const other = new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token });
  expect(await other.list(`${PATHS.contributions}${next}`)).toEqual([]);
});

test('a page of snapshots holds no more segments than it may, and one snapshot at least', async () => {
  const { snapshots } = servers.store;
  const { rows, isMore } = await snapshots.part({}, 3);
  expect([rows.map(({ id }) => id), isMore]).toEqual([frozen.slice(0, 2), true]);
  const last = rows.at(-1);
  const after = { time: last?.created ?? '', id: last?.id ?? '' };
  const next = await snapshots.part({ after }, 2);
  expect([next.rows.map(({ id }) => id), next.isMore]).toEqual([[frozen[2]], true]);
});
