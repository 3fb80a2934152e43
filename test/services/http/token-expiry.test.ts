import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATHS } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { createWorld, serve, type World } from '../world.js';

let world: World;
let servers: Servers;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

describe.each(['registry', 'pool'] as const)('the %s', (service) => {
  const create = async (expires: string) => {
    const answer = await fetch(`${servers.addresses[service]}${PATHS.tokens}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.tokens.admin}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ role: 'consumer', name: 'brief', expires }),
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  test.each(['2001-01-01T00:00:00Z', '2999-13-01T00:00:00Z'])(
    'makes no token that ends at %s, and says what to do',
    async (expires) => {
      expect(await create(expires)).toMatchObject({
        status: 400,
        code: 'request-invalid',
        detail: expect.stringContaining(
          `expires is ${expires}, which is past or no time; give a time to come`,
        ),
      });
      const { rows } = await servers.store.tokens.page({ offset: 0, limit: 100 });
      expect(rows.filter((row) => row.expires === expires)).toEqual([]);
    },
  );

  test('makes one that ends later', async () => {
    expect(await create('2999-12-01T00:00:00Z')).toMatchObject({ status: 201 });
  });
});
