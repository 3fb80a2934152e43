import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { listIdentities } from '../../../services/client/identity.js';
import { createWorld, serve, type World } from '../world.js';

/** More than one page holds. */
const ROWS = 1003;
/** Many of them, so that pages end between rows of one time. */
const TIMES = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.001Z'];

let world: World;
let servers: Servers;
const ids: Record<string, string[]> = {};

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  const { catalog, tokens, identities } = servers.store;
  const hex = (length: number) =>
    Array.from({ length: ROWS }, (_, i) => i.toString(16).padStart(length, '0'));
  const time = (i: number) => TIMES[Math.floor((i * TIMES.length) / ROWS)];
  await catalog.write(async (transaction) => {
    await transaction
      .insertInto('tokens')
      .values(
        hex(16).map((id, i) => ({
          ...{ id, role: 'consumer' as const, name: 'some', created: time(i), expires: null },
          hash: Buffer.alloc(32),
        })),
      )
      .execute();
    await transaction
      .insertInto('identities')
      .values(
        hex(64).map((id, i) => ({
          ...{ key_id: id, name: 'some', requested: time(i), approved: null, revoked: null },
          public_key: Buffer.alloc(32),
        })),
      )
      .execute();
  });
  ids[PATHS.tokens] = (await tokens.list()).map(({ id }) => id);
  ids[PATHS.identities] = (await identities.list()).map(({ keyId }) => keyId);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

interface Row {
  readonly id?: string;
  readonly keyId?: string;
}

describe.each(['registry', 'pool'] as const)('on the %s', (service) => {
  const url = () => servers.addresses[service] ?? '';
  const admin = () => new ServiceClient({ baseUrl: url(), token: world.tokens.admin });

  async function page(path: string): Promise<{ status: number; ids: string[]; next?: string }> {
    const headers = { Authorization: `Bearer ${world.tokens.admin}` };
    const answer = await fetch(url() + path, { headers });
    const next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    const rows = (await answer.json()) as Row[];
    return {
      status: answer.status,
      ids: answer.ok ? rows.map(({ id, keyId }) => id ?? keyId ?? '') : [],
      ...(next !== undefined && { next }),
    };
  }

  describe.each([PATHS.tokens, PATHS.identities])('%s', (path) => {
    test('comes a page at a time, each naming the next, the oldest first', async () => {
      const found: string[] = [];
      for (let query: string | undefined = '?limit=400'; query !== undefined; ) {
        const { ids: some, next } = await page(path + query);
        expect(some.length).toBeLessThanOrEqual(400);
        found.push(...some);
        query = next;
      }
      expect(found).toEqual(ids[path]);
    });

    test('has a thousand rows in a page that names no limit', async () => {
      const { ids: some, next } = await page(path);
      expect([some, typeof next]).toEqual([ids[path].slice(0, 1000), 'string']);
    });

    test('is followed to its end by the client', async () => {
      const rows = await admin().list<Row>(path);
      expect(rows.map(({ id, keyId }) => id ?? keyId)).toEqual(ids[path]);
    });

    test.each(['?limit=0', '?limit=1001', '?cursor=AAAA', '?page=2'])(
      'refuses %s',
      async (query) => {
        expect((await page(path + query)).status).toBe(400);
      },
    );
  });

  test('keys are listed to commands whole', async () => {
    const keys = await listIdentities(admin());
    expect(keys.map(({ keyId }) => keyId)).toEqual(ids[PATHS.identities]);
  });
});
